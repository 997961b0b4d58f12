/**
 * The limits of the service (docs/service.md sections 2, 4 and 8), each once. Lengths are counted
 * in characters, as the service counts them: an emoji is one.
 */

/** A file to upload, in bytes (docs/service.md section 10, 24 for the size of a megabyte). */
export const MAX_BYTES = 25 * 1024 * 1024;

/** Files that one document is made of. */
export const MAX_FILES = 10;

/** Recipients of a document or of a template, signers and cc combined. */
export const MAX_RECIPIENTS = 10;

/** Fields of a document. */
export const MAX_FIELDS = 500;

/** Webhook endpoints of a mode. */
export const MAX_WEBHOOKS = 5;

/** Entries of a page of any list, and of a delivery log, which has one page only. */
export const MAX_ENTRIES = 100;

/** Choices of a dropdown or a radio group. */
export const MAX_CHOICES = 40;

/** The lifetime of an embed link, in seconds. */
export const EMBED_LINK_SECONDS = { min: 60, max: 3600 } as const;

/** Completed starts of a template link. */
export const MAX_USES = 100_000;

/** The size of text on a page, in points. */
export const FONT_SIZE = { min: 6, max: 48 } as const;

/** The most characters of each text. */
export const MAX_LENGTH = {
	title: 160,
	/** A recipient of a document. A person of a template has a limit of its own: `templateName`. */
	name: 160,
	/** A recipient of a template send, and a signer of a template link. */
	templateName: 120,
	email: 190,
	phone: 32,
	pin: 20,
	role: 80,

	/** A value of a field, whether placed on a document or prefilled in a template. */
	fieldValue: 2000,
	placeholderText: 120,
	helpText: 500,
	choice: 80,
	dateFormat: 20,
	fieldKey: 63,

	linkLabel: 120,
	linkHeadline: 160,
	linkMessage: 600,
	linkRedirectUrl: 500,

	embedRedirectUrl: 2000,
	webhookUrl: 2000,
} as const;
