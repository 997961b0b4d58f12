import { STANDARD, type Encoding } from '../encodings';
import { textOfName } from '../glyphNames';

/** In bytes: the encoding stands in the part that is not encrypted, which is some kilobytes. */
const LONGEST_HEAD = 64 * 1024;

const STANDARD_ENCODING = /\/Encoding\s{1,9}StandardEncoding/;
const ENTRY = /dup\s{1,9}(\d{1,3})\s{0,9}\/([^\s/<>[\](){}%]{1,99})\s{1,9}put/g;

/** What a Type 1 font calls its codes: as lines like `dup 65 /A put` say. */
export function type1Encoding(program: Buffer): Encoding {
	const [head = ''] = program.toString('latin1', 0, LONGEST_HEAD).split('eexec', 1);
	if (STANDARD_ENCODING.test(head)) return STANDARD;
	const table: Array<string | undefined> = [];
	for (const [, code, name = ''] of head.matchAll(ENTRY)) table[Number(code)] = textOfName(name);
	return table;
}
