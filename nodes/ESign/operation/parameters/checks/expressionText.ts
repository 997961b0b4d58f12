import { ExpressionParser } from 'n8n-workflow';
import { refusedForGlue, type ParameterValue } from './parameterValue';
import type { Refuse } from './problems';

/**
 * Text of an n8n expression that was not evaluated, which no contract holds.
 *
 * | text                              |                                       |
 * | `Contract for {{ $json.company }}` | refused                              |
 * | `{{ $('Form').item.json.name }}`  | refused                               |
 * | `{{ $now.toISODate() }}`          | refused                               |
 * | `$json.title`                     | refused                               |
 * | `$('Form').item.json.title`       | refused                               |
 * | `{{name}} and {{ 5 $ }}`          | fine: marks of another program        |
 * | `$json is what we call it`        | fine                                  |
 * | `$5,000 a month`                  | fine                                  |
 */
const WHOLE =
	/^\$(?:(?:json|binary|input|node|vars|execution|workflow)(?:\.\S*|\[["'].*)|\(["'].*)$/;

function holdsExpression(text: string): boolean {
	if (WHOLE.test(text.trim())) return true;
	return ExpressionParser.splitExpression(text).some(
		(part) => part.type === 'code' && part.hasClosingBrackets && /\$[\w(["']/.test(part.text),
	);
}

/** Refuses the text of an expression, wherever somebody forgot to switch to Expression. */
export function refusedForExpressionText({ value, raw }: ParameterValue, refuse: Refuse): boolean {
	const texts = [value].flat().filter((one): one is string => typeof one === 'string');
	if (!texts.some(holdsExpression)) return false;

	const isFixed = typeof raw === 'string' && !raw.startsWith('=');
	const remedy = isFixed
		? 'Switch it to Expression'
		: 'Switch it to Expression where it was written, here or in an earlier node';
	refuse('contains an expression as text, because it was set to Fixed', remedy);
	return true;
}

/** Refuses a text that nobody meant: with a gap, a word of JavaScript, or an expression in it. */
export function refusedForMistake(given: ParameterValue, refuse: Refuse): boolean {
	if (refusedForExpressionText(given, refuse)) return true;
	return refusedForGlue(given, refuse);
}
