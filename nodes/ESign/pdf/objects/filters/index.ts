import type { Dictionary, Value } from '../values';
import { fromAscii85 } from './ascii85';
import type { Count } from './decompress';
import { inflate } from './flate';
import { fromLzw } from './lzw';

export { undoPredictor } from './predictor';

/** Unpacks the content of a stream. */
type Filter = (packed: Buffer, count: Count, parameters: Dictionary) => Promise<Buffer>;

/** Those that content and fonts come in (ISO 32000-1, 7.4). */
export const FILTERS = new Map<Value, Filter>([
	['/FlateDecode', inflate],
	['/LZWDecode', fromLzw],
	['/ASCII85Decode', fromAscii85],
	// What is short for them in inline images, some programs write everywhere.
	['/Fl', inflate],
	['/LZW', fromLzw],
	['/A85', fromAscii85],
]);
