import { PDFHexString } from 'pdf-lib';

const CMAP_HEAD = `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<00><ff>
endcodespacerange`;

const CMAP_TAIL = `endcmap
CMapName currentdict /CMap defineresource pop
end
end`;

const MOST_LINES = 100;

/** How a code of one byte stands in a page, and in the map below. */
export function hex(code: number): string {
	return code.toString(16).padStart(2, '0');
}

/** The map by which a reader copies text: the codes from 1 on, each with what it stands for. */
export function toUnicode(texts: string[]): string {
	const lines = texts.map((text, index) => {
		return `<${hex(index + 1)}> ${PDFHexString.fromText(text)
			.toString()
			.replace(/^<FEFF/i, '<')}`;
	});
	const blocks: string[] = [];
	for (let from = 0; from < lines.length; from += MOST_LINES) {
		const block = lines.slice(from, from + MOST_LINES);
		blocks.push(`${block.length} beginbfchar\n${block.join('\n')}\nendbfchar`);
	}
	return [CMAP_HEAD, ...blocks, CMAP_TAIL].join('\n');
}
