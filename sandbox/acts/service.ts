import type { Usage } from '../documents/usage';
import type {
	DocumentStatus,
	FieldType,
	Mode,
	RadioLayout,
	RecipientStatus,
	RecipientType,
	RoleType,
	Routing,
	TemplateStatus,
} from '../state/vocabulary';

/**
 * What the sandbox's pages (dashboard, signing page, public start page) may ask and do. The pages
 * know nothing of HTTP routes, keys or stored entities: they read these views and call these acts,
 * the same acts that `/_sandbox/` drives.
 *
 * Addresses: a recipient signs at `/sign/<signingToken>`, an embed link leads to
 * `/embed/<embedToken>`, a public link starts at `/t/<slug>` (and, embedded, at `/embed/t/<slug>`),
 * the dashboard is `/`.
 *
 * Every act that is refused throws an ApiError (sandbox/http/errors.ts): `statusCode`, `code`,
 * `message`.
 */
export interface SandboxService {
	/** `http://127.0.0.1:PORT`, without a trailing slash. */
	readonly origin: string;
	/** The sandbox's clock, which can be ahead of the computer's. */
	now(): Date;

	/** Newest first, both modes unless one is named; at most `limit` (default 100). */
	documents(filter?: { mode?: Mode; limit?: number }): DocumentView[];
	document(documentId: string): DocumentView | undefined;
	/** The merged source before signatures; null when it could not be built. */
	sourcePdf(documentId: string): Buffer | null;
	/** The sealed PDF or the certificate; null before completion. */
	finishedPdf(documentId: string, variant: 'signed' | 'certificate'): Buffer | null;

	/** Those of the mode TEST first, each mode newest first. */
	templates(): TemplateView[];
	/** The pages of a template before anybody has filled in a field; null for an unknown id. */
	templatePdf(templateId: string): Promise<Buffer | null>;

	/** Whom a signing token belongs to; undefined for an unknown token. */
	signing(signingToken: string): SigningView | undefined;
	/**
	 * Whom an embed token lets sign; 'expired' once its lifetime has passed, undefined for an unknown
	 * token.
	 */
	embed(embedToken: string): (SigningView & { redirectUrl: string | null }) | 'expired' | undefined;
	/**
	 * Whether this is the recipient's pin, compared in constant time. After ten wrong ones in a row,
	 * none is taken.
	 */
	enterPin(recipientId: string, pin: string): boolean;

	/** The person opens the document: first open emits recipient.viewed, later ones do nothing. */
	view(recipientId: string): Promise<void>;
	/**
	 * The person finishes. `values` by field id or by field key, as text ('true' or 'false' for a
	 * checkbox, an ISO date, one of the options). A required signature or stamp takes the person's
	 * name if no text is given, and required initials those of the name; optional ones stay empty.
	 * With `fillMissing` a required field without a value gets a plausible one; without it that is a
	 * validation_error whose details name `values.<field id>`.
	 */
	sign(
		recipientId: string,
		input?: { values?: Record<string, string>; fillMissing?: boolean },
	): Promise<void>;
	decline(recipientId: string): Promise<void>;
	/** Hands the turn to someone else, who gets an id and a signing token of their own. */
	reassign(
		recipientId: string,
		to: { name: string; email: string },
	): Promise<{ recipientId: string; signingToken: string }>;
	/** The document's expiry passes. */
	expire(documentId: string): Promise<void>;

	/** A public link by the slug in its URL; undefined once rotated or deleted. */
	link(slug: string): LinkView | undefined;
	/**
	 * A visitor starts a public link: counts a use and creates a document that is out for signature.
	 * A name or an address that a recipient cannot have is a validation_error whose details name it.
	 */
	startLink(
		slug: string,
		visitor: { name: string; email: string },
	): Promise<{ documentId: string; recipientId: string; signingToken: string }>;

	/** Newest first, both modes. */
	endpoints(): EndpointView[];
	/** Attempts, newest first. */
	deliveries(endpointId: string, limit?: number): DeliveryView[];
	/**
	 * Sends the stored payload again; `replayed` is false when the endpoint is DISABLED and nothing
	 * was sent.
	 */
	replay(endpointId: string, deliveryId: string): { replayed: boolean; eventId: string };

	/** API sends of the current billing period. */
	usage(): Usage;
	workspace(): WorkspaceView;
	/** The keys a reader may copy from the dashboard. */
	keys(): { live: string; test: string };
}

export interface RecipientView {
	id: string;
	name: string;
	email: string;
	type: RecipientType;
	role: string | null;
	status: RecipientStatus;
	hasPin: boolean;
	/** Too many wrong pins were entered. */
	isLocked: boolean;
	signingToken: string;
	signedAt: Date | null;
}

export interface DocumentView {
	id: string;
	title: string;
	mode: Mode;
	status: DocumentStatus;
	routing: Routing;
	createdAt: Date;
	expiresAt: Date | null;
	completedAt: Date | null;
	pageCount: number;
	recipients: RecipientView[];
	trail: Array<{ at: Date; what: string; who: string | null }>;
}

/**
 * One of the fields of a document, placed on its page by fractions of the page's width and height,
 * from the top left.
 */
export interface FieldView {
	id: string;
	key: string | null;
	type: FieldType;
	page: number;
	xNorm: number;
	yNorm: number;
	widthNorm: number;
	heightNorm: number;
	required: boolean;
	/** PREFILLED fields, and those of other people, are not editable. */
	editable: boolean;
	value: string | null;
	placeholderText: string | null;
	helpText: string | null;
	options: string[];
	radioLayout: RadioLayout | null;
}

export interface SigningView {
	document: DocumentView;
	recipient: RecipientView;
	/**
	 * All fields of the document, so that a page can show them in place; the recipient fills those
	 * that are `editable`.
	 */
	fields: FieldView[];
	/** The person's turn: document in progress, recipient a signer whose status is sent or viewed. */
	maySign: boolean;
}

export interface LinkView {
	id: string;
	slug: string;
	mode: Mode;
	templateName: string;
	label: string | null;
	headline: string | null;
	message: string | null;
	redirectUrl: string | null;
	/** The role the visitor takes. */
	openRole: string;
	/**
	 * Why it may not be started, as a code (`link_expired`, `link_used_up`, `org_suspended`); null
	 * when it may.
	 */
	refusal: string | null;
	useCount: number;
	maxUses: number | null;
	expiresAt: Date | null;
}

export interface TemplateView {
	id: string;
	name: string;
	description: string | null;
	mode: Mode;
	status: TemplateStatus;
	roles: Array<{ role: string; type: RoleType }>;
	fields: Array<{
		key: string | null;
		type: FieldType;
		role: string | null;
		required: boolean;
		options: string[];
	}>;
}

export interface EndpointView {
	id: string;
	url: string;
	mode: Mode;
	events: string[];
	status: 'ACTIVE' | 'DISABLED';
	createdAt: Date;
}

export interface DeliveryView {
	id: string;
	event: string;
	eventId: string;
	documentId: string | null;
	attempt: number;
	responseStatus: number | null;
	responseBody: string | null;
	error: string | null;
	succeeded: boolean;
	payload: unknown;
	createdAt: Date;
}

export interface WorkspaceView {
	id: string;
	name: string;
	plan: string;
	trialing: boolean;
	suspended: boolean;
	embedOrigins: string[];
}
