import { createReadStream } from 'node:fs';
import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import type { IBinaryData } from 'n8n-workflow';
import { useBinaryDataMode } from '../../test/support/n8nCore/n8n';

/**
 * A file in n8n's binary storage on disk, which n8n 2.x uses unless told otherwise. It gets there
 * as a stream, so that the memory of this process has not seen it.
 */
export async function storedFile(
	path: string,
	fileName: string,
	mimeType: string,
): Promise<IBinaryData> {
	await useBinaryDataMode('filesystem');
	const location = { type: 'execution' as const, workflowId: 'upstream', executionId: '1' };
	const meta: IBinaryData = { data: '', fileName, mimeType };
	return await Container.get(BinaryDataService).store(location, createReadStream(path), meta);
}
