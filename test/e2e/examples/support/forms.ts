import { until } from '../../../../harness/processes/until';

/** What the waiting page of a form asks until the next page is there. */
interface Submission {
	formWaitingUrl?: string;
}

/**
 * Fills in a published form as a browser does, its fields in their order.
 *
 * @param kind `form-test` for a form that the editor listens to
 * @returns what the page shows that the visitor ends on
 */
export async function submitForm(
	n8nUrl: string,
	path: string,
	values: Array<string | File>,
	kind: 'form' | 'form-test' = 'form',
): Promise<string> {
	const form = new FormData();
	values.forEach((value, index) => form.append(`field-${index}`, value));
	const response = await fetch(`${n8nUrl}/${kind}/${path}`, { method: 'POST', body: form });
	const text = await response.text();
	if (!response.ok) throw new Error(`The form ${path} answered ${response.status}: ${text.slice(0, 500)}`);
	const { formWaitingUrl } = JSON.parse(text) as Submission;
	if (formWaitingUrl === undefined) return text;
	const statusUrl = new URL(formWaitingUrl);
	statusUrl.pathname += '/n8n-execution-status';
	await until('the last page of the form', async () =>
		(await (await fetch(statusUrl)).text()) === 'form-waiting' ? true : undefined,
	);
	const page = await (await fetch(formWaitingUrl)).text();
	// The page posts an empty form as soon as it is shown, which ends the execution.
	await fetch(formWaitingUrl, { method: 'POST', body: new FormData() });
	return page;
}
