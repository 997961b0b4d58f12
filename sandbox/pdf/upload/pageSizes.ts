import { openPdf } from './openPdf';
import { seenSize } from '../page/pageSpace';

/** Sizes of all pages in points, as a person sees them. Throws UnusablePdfError as openPdf does. */
export async function pageSizes(
	bytes: Uint8Array,
): Promise<Array<{ width: number; height: number }>> {
	return (await openPdf(bytes)).document.getPages().map(seenSize);
}
