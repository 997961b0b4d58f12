import type { INodeExecutionData } from 'n8n-workflow';
import { rowsAt } from './rowsAt';

/** Approvals: one title, one person, one name of the file. What the file holds is the row's own. */
export async function filesAt(time: string, ...names: string[]): Promise<INodeExecutionData[]> {
	const rows = await rowsAt(time, ...names);
	return rows.map((row, index) => {
		const { data } = row.binary ?? {};
		if (!data) throw new Error('No file');
		const bytes = Buffer.concat([
			Buffer.from(data.data, 'base64'),
			Buffer.from(`\n% This is of ${names[index]}.\n%%EOF\n`),
		]);
		return { ...row, binary: { data: { ...data, data: bytes.toString('base64') } } };
	});
}
