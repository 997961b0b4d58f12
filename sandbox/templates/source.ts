import { drawTemplate } from '../pdf';
import type { Template } from '../state/entities';

const sources = new WeakMap<Template, Promise<{ bytes: Buffer; pageCount: number }>>();

/**
 * The pages of a template: its name, its text, and a labelled line where each field will be. Drawn once per
 * template.
 */
export function templateSource(template: Template): Promise<{ bytes: Buffer; pageCount: number }> {
	let source = sources.get(template);
	if (!source) {
		source = drawTemplate(template);
		sources.set(template, source);
	}
	return source;
}
