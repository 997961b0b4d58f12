import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
/** Experimental in axe, yet what a voice user needs: the name of a control holds its text. */
const RULES = { 'label-content-name-mismatch': { enabled: true } };

interface Violation {
	id: string;
	nodes: Array<{ html: string; failureSummary: string }>;
}

/** What axe finds in what is visible now. */
export async function axeFindings(page: Page): Promise<string[]> {
	if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(AXE);
	const { violations, passes } = await page.evaluate<{ violations: Violation[]; passes: object[] }>(
		`axe.run(${JSON.stringify({ rules: RULES })})`,
	);
	expect(passes.length).toBeGreaterThan(10);
	return violations.flatMap(({ id, nodes }) =>
		nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
	);
}
