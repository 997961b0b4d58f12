import type { FieldView, RecipientView } from '../../acts/service';
import { initialsOf } from '../../state/initials';
import { html, type Html } from '../html';

const NAMES: Record<string, string> = {
	SIGNATURE: 'Signature',
	INITIALS: 'Initials',
	DATE: 'Date',
	TEXT: 'Text',
	CHECKBOX: 'Tick box',
	DROPDOWN: 'Choice',
	EMAIL: 'E-mail',
	RADIO_GROUP: 'Choice',
	NAME: 'Name',
	TITLE: 'Job title',
	COMPANY: 'Company',
	STAMP: 'Stamp',
	TEXTAREA: 'Text',
	NUMBER: 'Number',
	PHONE: 'Phone',
};

/**
 * Attributes by which browsers offer the right keyboard and fill in what they know of the person.
 */
const INPUT_HINTS: Record<string, Html> = {
	SIGNATURE: html`type="text" autocomplete="name"`,
	DATE: html`type="date"`,
	EMAIL: html`type="email" autocomplete="email"`,
	NAME: html`type="text" autocomplete="name"`,
	TITLE: html`type="text" autocomplete="organization-title"`,
	COMPANY: html`type="text" autocomplete="organization"`,
	NUMBER: html`type="text" inputmode="decimal"`,
	PHONE: html`type="tel" autocomplete="tel"`,
};

/** What a field is called to the person who fills it: its key in words, or else its type. */
export function labelOfField({ key, type }: FieldView): string {
	if (!key) return NAMES[type] ?? type;
	const words = key.replaceAll('_', ' ');
	return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The name under which a form sends the value of a field. */
export function inputName(fieldId: string): string {
	return `field.${fieldId}`;
}

/**
 * A field as a form control with its label, its help and, after a refusal, what was wrong with it.
 * `at` numbers the field and names its place in the style of the page; a `crowded` field has no
 * room for its label above it.
 */
export function fieldInput(
	field: FieldView,
	at: number,
	crowded: boolean,
	recipient: RecipientView,
	entered: Record<string, string> | null,
	problem: string | null,
): Html {
	const value = entered?.[field.id] ?? field.value ?? suggestion(field, recipient);
	const described = [field.helpText && `help-${at}`, problem && `problem-${at}`]
		.filter(Boolean)
		.join(' ');
	const state = html`${field.required && html`required`}
	${described && html`aria-describedby="${described}"`} ${problem && html`aria-invalid="true"`}`;
	const notes = html`${field.helpText && html`<p class="help" id="help-${at}">${field.helpText}</p>`}
	${problem && html`<p class="problem" id="problem-${at}">${problem}</p>`}`;
	const label = html`<span class="ordinal" aria-hidden="true">${at}</span>
		${labelOfField(field)}${!field.required && html` <span class="optional">(optional)</span>`}`;
	const name = inputName(field.id);
	// Never the bare type: a class of its own name could mean something else to the style sheet.
	const kind = `type-${field.type.toLowerCase().replace('_', '-')}`;

	if (field.type === 'RADIO_GROUP') {
		return html`<fieldset
			class="field ${kind} at-${at} ${crowded && 'crowded'} ${field.radioLayout === 'INLINE' && 'inline'}"
		>
			<legend>${label}</legend>
			<div class="choices">
				${field.options.map(
					(option, index) =>
						html`<label
							><input
								${index === 0 && html`id="input-${at}"`}
								type="radio"
								name="${name}"
								value="${option}"
								${option === value && html`checked`}
								${state}
							/>
							${option}</label
						>`,
				)}
			</div>
			${notes}
		</fieldset>`;
	}
	return html`<div class="field ${kind} at-${at} ${crowded && 'crowded'}">
		<label for="input-${at}">${label}</label>
		${control(field, html`id="input-${at}" name="${name}" ${state}`, value)} ${notes}
	</div>`;
}

function control(field: FieldView, attributes: Html, value: string): Html {
	const placeholder = field.placeholderText && html`placeholder="${field.placeholderText}"`;
	switch (field.type) {
		case 'CHECKBOX':
			return html`<input
				type="checkbox"
				value="true"
				${attributes}
				${value === 'true' && html`checked`}
			/>`;
		case 'DROPDOWN':
			return html`<select ${attributes}>
				<option value="">${field.placeholderText ?? 'Choose...'}</option>
				${field.options.map(
					(option) =>
						html`<option value="${option}" ${option === value && html`selected`}>
							${option}
						</option>`,
				)}
			</select>`;
		case 'TEXTAREA':
			return html`<textarea rows="3" ${attributes} ${placeholder}>${value}</textarea>`;
		default: {
			const hints = INPUT_HINTS[field.type] ?? html`type="text"`;
			return html`<input ${hints} ${attributes} ${placeholder} value="${value}" />`;
		}
	}
}

/** What most people would enter, so that a signature takes one look and one click. */
function suggestion({ type, required }: FieldView, { name, email }: RecipientView): string {
	// Whoever need not sign signs only what they enter themselves.
	if (!required && (type === 'SIGNATURE' || type === 'INITIALS')) return '';
	if (type === 'SIGNATURE' || type === 'NAME') return name;
	if (type === 'EMAIL') return email;
	return type === 'INITIALS' ? initialsOf(name) : '';
}
