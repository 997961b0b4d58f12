import { fixture } from '../../fixtures/fixture';
import { Workspace, type About, type Person, type Placed, type Wire } from '../workspace';

export const ADA = { name: 'Ada Arden', email: 'ada@arden.example' };
export const BO = { name: 'Bo Chen', email: 'bo@pumps.example' };

/** A workspace whose people are met on their pages. */
export class Desk extends Workspace {
	/** Calls the API with the test key; throws what it refuses. */
	async api<T = Wire>(method: string, path: string, body?: object): Promise<T> {
		const { status, data } = await this.test.request<T>({ method, url: path, data: body });
		if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(data)}`);
		return data;
	}

	/**
	 * Sends the contract of test/fixtures to these people; every signer gets a signature on the last
	 * page.
	 */
	async send(people: Person[], { fields = [], ...about }: About = {}) {
		const files = [(await this.upload(this.test, fixture('contract.pdf'))).data.id];
		const place = { xNorm: 0.1, yNorm: 0.85, widthNorm: 0.3, heightNorm: 0.03 };
		const placed = fields.map((field) => ({ ...place, ...field }));
		const signatures = people.flatMap(({ type }, of) => (type === 'cc' ? [] : [signatureOf(of)]));
		return this.sent(this.test, people, { files, fields: [...placed, ...signatures], ...about });
	}

	/** What a person finds under the link of their invitation; the dashboard shows it too. */
	async signPath(name: string): Promise<string> {
		const { html } = await this.get('/');
		const links = [
			...html.matchAll(/href="(\/sign\/[^"]+)"\s*>([^<]+<span class="hidden">[^<]+)/g),
		];
		const path = links.find(([, , label]) => label?.includes(name))?.[1];
		if (!path) throw new Error(`The dashboard has no link for ${name}`);
		return path;
	}

	async get(path: string) {
		return read(await fetch(new URL(path, this.origin), { redirect: 'manual' }));
	}

	/** Sends a form as a browser without JavaScript does. */
	async post(
		path: string,
		texts: Record<string, string> = {},
		headers: Record<string, string> = {},
	) {
		const body = new URLSearchParams(texts);
		return read(
			await fetch(new URL(path, this.origin), {
				method: 'POST',
				body,
				headers,
				redirect: 'manual',
			}),
		);
	}

	/** Signs on the page at this address, with this in its first field. */
	async sign(path: string, text = 'Ada') {
		const { html } = await this.get(path);
		return this.post(formAction(html, '/sign'), { [controlNames(html)[0] ?? '']: text });
	}
}

function signatureOf(of: number): Placed {
	const place = { xNorm: 0.1 + (of % 2) * 0.43, yNorm: 0.655, widthNorm: 0.37, heightNorm: 0.07 };
	return { of, type: 'SIGNATURE', pageNumber: 3, ...place };
}

async function read(response: Response) {
	const location = response.headers.get('location') ?? '';
	return {
		status: response.status,
		headers: response.headers,
		location,
		html: await response.text(),
	};
}

/** The address to which the first form whose address ends in `act` is sent. */
export function formAction(html: string, act: string): string {
	const actions = [...html.matchAll(/action="([^"]+)"/g)].map(([, action]) =>
		(action ?? '').replaceAll('&amp;', '&'),
	);
	const action = actions.find((one) => one.split('?')[0]?.endsWith(act));
	if (!action) throw new Error(`No form leads to ${act}`);
	return action;
}

/** The names under which the controls of the page send their values, in the order of the page. */
export function controlNames(html: string): string[] {
	return [...new Set([...html.matchAll(/name="(field\.[^"]+)"/g)].map(([, name]) => name ?? ''))];
}
