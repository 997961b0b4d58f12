import { FIELD_TYPES } from '../../../sandbox/state/vocabulary';
import { ADA, BO, controlNames, Desk, formAction } from './desk';

const desk = Desk.forTests();

describe('the signing page works as plain forms', () => {
	it('opening it is the view, signing leads to a page that says so, and the last signature completes the document', async () => {
		const { id } = await desk.send([ADA, BO]);
		expect((await desk.get(await desk.signPath('Ada'))).status).toBe(200);
		expect(await desk.statuses(id)).toEqual(['viewed', 'sent']);
		for (const person of [ADA, BO]) {
			const path = await desk.signPath(person.name);
			const answer = await desk.sign(path, person.name);
			expect([answer.status, answer.location]).toEqual([303, path]);
			const finished = await desk.get(path);
			expect(finished.html).toContain(person === ADA ? 'You have signed' : 'Completed');
			expect(finished.html).not.toContain('<button');
		}
		expect((await desk.document(id)).status).toBe('completed');
		const signed = await desk.get(`${await desk.signPath('Bo')}/document.pdf`);
		expect(signed.headers.get('content-type')).toBe('application/pdf');
	});

	it('shows a control for each of the person\u2019s fields, and only for those', async () => {
		const about = { of: 0, dropdownOptions: ['Red', 'Blue'], required: false };
		const fields = FIELD_TYPES.map((type, index) => ({ ...about, type, yNorm: index * 0.06 }));
		await desk.send([ADA, BO], { fields });
		const { html } = await desk.get(await desk.signPath('Ada'));
		expect(controlNames(html)).toHaveLength(FIELD_TYPES.length + 1);
		expect(controlNames((await desk.get(await desk.signPath('Bo'))).html)).toHaveLength(1);
	});

	it('says beside the field what is missing or does not fit, and keeps what was entered', async () => {
		const fields = [
			{ type: 'NUMBER', fieldKey: 'price' },
			{ type: 'TEXT', fieldKey: 'project_name', yNorm: 0.9 },
		];
		const { id } = await desk.send([ADA, BO], { fields });
		const page = await desk.get(await desk.signPath('Ada'));
		const [price = '', project = '', signature = ''] = controlNames(page.html);
		const enter = (texts: object) => desk.post(formAction(page.html, '/sign'), { ...texts });
		const refused = await enter({ [price]: 'a lot', [signature]: '"Ada" <x>' });
		expect(refused.status).toBe(400);
		expect(refused.html).toMatch(/<p class="problem"[^>]*>Price must be a number, such as/);
		expect(refused.html).toMatch(/<p class="problem"[^>]*>Project name is required/);
		expect(refused.html).toContain('value="a lot"');
		expect(refused.html).toContain('value="&quot;Ada&quot; &lt;x&gt;"');
		expect(await desk.statuses(id)).toEqual(['viewed', 'sent']);
		// Lengths are counted in characters.
		const entered = (length: number) =>
			enter({ [price]: '1', [project]: '\u{1F600}'.repeat(length), [signature]: 'Ada' });
		expect((await entered(2001)).html).toContain('Project name must have at most 2000 characters');
		await entered(2000);
		expect(await desk.statuses(id)).toEqual(['signed', 'sent']);
	});

	it('declining ends the document for everyone', async () => {
		const { id } = await desk.send([ADA, BO]);
		const page = await desk.get(await desk.signPath('Ada'));
		expect((await desk.post(formAction(page.html, '/decline'))).status).toBe(303);
		expect((await desk.document(id)).status).toBe('declined');
		for (const name of ['Ada', 'Bo'])
			expect((await desk.get(await desk.signPath(name))).html).toContain('Ada Arden declined');
	});

	it('nobody signs out of turn or after the end, and a cc has nothing to sign', async () => {
		const cy = { name: 'Cy', email: 'cy@example.com', type: 'cc' };
		const { id } = await desk.send([ADA, BO, cy], { routing: 'sequential' });
		const path = await desk.signPath('Bo');
		expect((await desk.get(path)).html).toContain('Not your turn yet');
		expect((await desk.post(`${path}/sign`)).status).toBe(303);
		expect((await desk.post(`${path}/decline`)).status).toBe(303);
		expect(await desk.statuses(id)).toEqual(['sent', 'waiting', 'waiting']);
		expect((await desk.get(await desk.signPath('Cy'))).html).toContain('Nothing to sign');
		await desk.api('POST', `/documents/${id}/cancel`);
		expect((await desk.get(path)).html).toContain('Withdrawn');
	});

	it('an unknown link says so with 404', async () => {
		for (const path of ['/sign/none', '/embed/none', '/sign/none/document.pdf']) {
			const { status, html } = await desk.get(path);
			expect([status, html.includes('This link does not work')]).toEqual([404, true]);
		}
	});
});

describe('a pin stands before the document', () => {
	const people = [
		{ ...ADA, pin: '4711' },
		{ ...BO, pin: '4712' },
	];

	it('and nothing of the document is shown or done without it, nor with the proof of somebody else', async () => {
		const { id } = await desk.send(people, { title: 'Very secret' });
		const path = await desk.signPath('Ada');
		const { location } = await desk.post(`${await desk.signPath('Bo')}/pin`, { pin: '4712' });
		for (const answer of [
			await desk.get(path),
			await desk.get(`${path}/document.pdf`),
			await desk.get(`${path}?proof=guess`),
			await desk.get(`${path}?${location.split('?')[1]}`),
			await desk.post(`${path}/sign`),
			await desk.post(`${path}/decline`),
		]) {
			expect(answer.html).toContain('Enter your PIN');
			expect(answer.html).not.toContain('Very secret');
		}
		expect(await desk.statuses(id)).toEqual(['sent', 'sent']);
	});

	it('a wrong one is refused, the right one opens the document for good', async () => {
		const { id } = await desk.send(people);
		const path = await desk.signPath('Ada');
		const wrong = await desk.post(`${path}/pin`, { pin: '0000' });
		expect([wrong.status, wrong.html.includes('not right')]).toEqual([403, true]);
		const right = await desk.post(`${path}/pin`, { pin: '4711' });
		expect(right.status).toBe(303);
		await desk.sign(right.location);
		expect(await desk.statuses(id)).toEqual(['signed', 'sent']);
	});

	it('ten wrong ones in a row lock the document for this person, and no pin opens it any more', async () => {
		await desk.send(people);
		const path = await desk.signPath('Ada');
		const enter = (pin: string) => desk.post(`${path}/pin`, { pin });
		const enterNine = async () => {
			for (let count = 0; count < 9; count++)
				expect((await enter(String(count))).html).toContain('not right');
		};
		await enterNine();
		expect((await enter('4711')).status).toBe(303);
		await enterNine();
		const tenth = await enter('0000');
		expect(tenth.status).toBe(403);
		for (const { html } of [tenth, await enter('4711'), await desk.get(path)]) {
			expect(html).toContain('This document is locked');
		}
		expect((await desk.get(await desk.signPath('Bo'))).html).toContain('Enter your PIN');
	});
});

describe('an embed link leads to the same page inside of another application', () => {
	const embedLink = async (options: object) => {
		const { id, recipients } = await desk.send([ADA, BO]);
		return (
			await desk.api('POST', `/documents/${id}/recipients/${recipients[0].id}/embed-link`, options)
		).url;
	};

	it('which only the allowed origins may frame, and returns to redirect_url after signing', async () => {
		const back = 'https://app.example.com/done?x=1';
		const url = await embedLink({ redirect_url: back });
		const page = await desk.get(url);
		const policy = page.headers.get('content-security-policy');
		expect(policy).toContain('frame-ancestors https://app.example.com;');
		expect(policy).toContain("form-action 'self' https://app.example.com;");
		const answer = await desk.sign(url);
		expect([answer.status, answer.location]).toEqual([303, back]);
	});

	it('and is over when its lifetime has passed', async () => {
		const url = await embedLink({ expires_in: 60 });
		await desk.control.advance(61);
		const { status, html } = await desk.get(url);
		expect([status, html.includes('This link has expired')]).toEqual([410, true]);
	});
});
