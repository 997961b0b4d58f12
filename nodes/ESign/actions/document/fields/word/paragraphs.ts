/**
 * What the elements of WordprocessingML (ECMA-376-1, 17) make of their text:
 *
 * | in the file                                   | text                                 |
 * | --------------------------------------------- | ------------------------------------ |
 * | `<w:t>sig</w:t></w:r><w:r><w:t>nature</w:t>`  | `signature`                          |
 * | `<w:ins><w:r><w:t>1</w:t></w:r></w:ins>`      | `1`: an insertion                    |
 * | `<w:del><w:r><w:delText>2</w:delText>…`       | nothing: a deletion                  |
 * | `<w:moveFrom>…`, `<mc:Fallback>…`             | nothing: it is there a second time   |
 * | `A<w:tab/>B<w:br/>C<w:noBreakHyphen/>D`       | `A B C-D`                            |
 * | `<w:t>R&amp;D &#233;</w:t>`                   | `R&D é`                              |
 * | a paragraph in a text box, in a paragraph     | two paragraphs                       |
 */
const SIGNS: Readonly<Record<string, string>> = { tab: ' ', br: ' ', cr: ' ', noBreakHyphen: '-' };

const REPEATED = /^(?:moveFrom|Fallback)$/;

const ENTITIES: Readonly<Record<string, string>> = {
	amp: '&',
	lt: '<',
	gt: '>',
	quot: '"',
	apos: "'",
};

/** Takes elements and texts as they follow each other. */
export class Paragraphs {
	readonly finished: string[] = [];
	/** Those that have begun, the innermost last. */
	private readonly open: string[] = [];
	private repeated = 0;
	private isText = false;

	/** @param tag without its angle brackets */
	element(tag: string): void {
		const [, close, name = ''] = /^(\/?)(?:[\w.-]*:)?(\w*)/.exec(tag) ?? [];
		const isEnd = close === '/';
		const isEmpty = tag.endsWith('/');
		this.isText = name === 't' && !isEnd && !isEmpty;
		if (REPEATED.test(name) && !isEmpty) this.repeated += isEnd ? -1 : 1;
		if (name === 'p' && !isEmpty) {
			if (isEnd) this.finished.push(this.open.pop() ?? '');
			else this.open.push('');
		}
		if (!isEnd) this.add(SIGNS[name] ?? '');
	}

	text(text: string): void {
		if (this.isText) this.add(text.replace(/&(#?)(\w{1,8});/g, characterOf));
	}

	private add(text: string): void {
		if (this.repeated <= 0) this.open.push((this.open.pop() ?? '') + text);
	}
}

function characterOf(entity: string, isNumber: string, name: string): string {
	if (isNumber === '') return ENTITIES[name] ?? entity;
	const code = Number(/^x/i.test(name) ? `0${name}` : name);
	return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
}
