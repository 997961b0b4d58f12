import type { INodeExecutionData } from 'n8n-workflow';
import { numbered } from './lossyService';

/** Rows for Ada as a node gives them that notes the time. */
export async function rowsAt(time: string, ...rows: string[]): Promise<INodeExecutionData[]> {
	const items = await numbered(rows.length);
	const ada = { 'Signer name': 'Ada', 'Signer email': 'ada@example.com' };
	return items.map((item, n) => ({ ...item, json: { name: rows[n], readAt: time, ...ada } }));
}
