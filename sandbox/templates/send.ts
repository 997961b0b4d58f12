import { createEmbedLink, requireEmbedOrigin } from '../documents/embedLinks';
import { draftDocument, giveRecipients, storeDocument } from '../documents/draft';
import { startDocument } from '../documents/transitions';
import {
	checkRecipientList,
	requireSigner,
	signersOf,
	type NewRecipient,
} from '../documents/recipients';
import { ApiError, invalid } from '../http/errors';
import type { SentTemplateWire } from '../schemas/templateAnswers';
import type { TemplateSendBody } from '../schemas/templateRequests';
import type { Field, Recipient, SignDocument, Template } from '../state/entities';
import { newId } from '../state/ids';
import type { World } from '../state/world';
import { prefillValues } from './prefill';
import { templateSource } from './source';
import { requirePublished, sameRole } from './templates';

type RoleFiller = TemplateSendBody['recipients'][number];

/**
 * Rule 1: every role of the template has exactly one recipient, and every recipient a role of the
 * template.
 */
function castRoles(template: Template, recipients: readonly RoleFiller[]): NewRecipient[] {
	const names = template.roles.map(({ role }) => role);
	const unknown = recipients.filter(({ role }) => !names.some((name) => sameRole(name, role)));
	if (unknown.length > 0) {
		const listed = unknown.map(({ role }) => role).join(', ');
		throw new ApiError('unknown_role', {
			message: `The template has no role named ${listed}.`,
			extra: { known_roles: names },
		});
	}
	const twice = names.find(
		(name) => recipients.filter(({ role }) => sameRole(name, role)).length > 1,
	);
	if (twice !== undefined)
		throw new ApiError('duplicate_role', { message: `The role ${twice} was supplied twice.` });
	const missing = names.filter((name) => !recipients.some(({ role }) => sameRole(name, role)));
	if (missing.length > 0)
		throw new ApiError('missing_roles', { extra: { missing_roles: missing } });
	return template.roles.flatMap(({ role, type }) => {
		const filler = recipients.find((one) => sameRole(role, one.role));
		if (!filler) return [];
		const { name, email, phone } = filler;
		return [
			{
				name,
				email,
				phone: phone ?? null,
				role,
				type: type === 'CC' ? ('cc' as const) : ('signer' as const),
			},
		];
	});
}

function fieldsFor(
	template: Template,
	recipients: readonly Recipient[],
	values: ReadonlyMap<string, string>,
): Field[] {
	return template.fields.map(({ role, ...field }) => {
		const value = field.key === null ? undefined : values.get(field.key);
		return {
			...field,
			id: newId('fld'),
			recipientId: recipients.find((one) => one.role === role && one.type === 'signer')?.id ?? null,
			fillMode: value === undefined ? 'SIGNER_FILLED' : 'PREFILLED',
			value: value ?? null,
		};
	});
}

/** A draft made from a template for people who fill its roles. */
export async function documentFromTemplate(
	world: World,
	template: Template,
	input: {
		title: string;
		recipients: readonly NewRecipient[];
		values: ReadonlyMap<string, string>;
	},
): Promise<SignDocument> {
	const source = await templateSource(template);
	const document = draftDocument(world, {
		mode: template.mode,
		title: input.title,
		routing: 'parallel',
		source,
	});
	giveRecipients(world, document, input.recipients);
	document.fields = fieldsFor(template, document.recipients, input.values);
	return document;
}

/** POST /templates/{id}/send with its ten rules. */
export async function sendTemplate(
	world: World,
	template: Template,
	body: TemplateSendBody,
): Promise<{ document: SignDocument; embedLinks: SentTemplateWire['embed_links'] }> {
	const send = body.send ?? true;
	if (body.embed && !send) throw invalid('embed', 'requires send true');
	requirePublished(template);
	if (body.embed) requireEmbedOrigin(world);
	const recipients = castRoles(template, body.recipients);
	checkRecipientList(recipients);
	if (send) requireSigner(recipients);
	const values = prefillValues(template, body.field_values);
	const document = await documentFromTemplate(world, template, {
		title: body.title ?? template.name,
		recipients,
		values,
	});
	storeDocument(world, document);
	if (!send) return { document, embedLinks: undefined };
	startDocument(world, document, true);
	const { embed } = body;
	const embedLinks =
		embed &&
		signersOf(document).map((signer) => ({
			recipient_id: signer.id,
			...createEmbedLink(world, document, signer, embed),
		}));
	return { document, embedLinks };
}
