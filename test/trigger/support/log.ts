import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';

/** What was written to n8n's log since. Restored by `jest.restoreAllMocks()`. */
export function captureLog(): string[] {
	const lines: string[] = [];
	const logger = Container.get(Logger);
	for (const level of ['info', 'warn', 'error'] as const) {
		jest.spyOn(logger, level).mockImplementation((...line: unknown[]) => {
			lines.push(`${level}: ${String(line[0])}`);
		});
	}
	return lines;
}
