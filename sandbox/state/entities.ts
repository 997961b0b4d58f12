/**
 * What the sandbox stores. Wire shapes are made from these in sandbox/routes/wire.ts and nowhere
 * else.
 */
import type {
	DocumentStatus,
	EventType,
	FieldType,
	FillMode,
	FontFamily,
	Mode,
	Plan,
	RadioLayout,
	RawRecipientStatus,
	RecipientType,
	RoleType,
	Routing,
	Scope,
	TemplateStatus,
} from './vocabulary';

/**
 * Everything that can be listed page by page carries the number of its creation, which never
 * changes or repeats.
 */
export interface Sequenced {
	id: string;
	sequence: number;
}

export interface ApiKey {
	secret: string;
	mode: Mode;
	scopes: ReadonlySet<Scope>;
	expiresAt: number | null;
}

export interface Workspace {
	id: string;
	name: string;
	plan: Plan;
	trialing: boolean;
	suspended: boolean;
	embedOrigins: string[];
	entitlements: string[];
	ipAllowlist: string[];
}

export interface StoredFile {
	id: string;
	mode: Mode;
	name: string;
	mimeType: string;
	bytes: Buffer;
	createdAt: Date;
}

export interface Recipient {
	id: string;
	name: string;
	email: string;
	type: RecipientType;
	phone: string | null;
	pin: string | null;
	/**
	 * Wrong entries of the pin since the last right one; ten of them lock the document for this
	 * person.
	 */
	wrongPins: number;
	role: string | null;
	status: RawRecipientStatus;
	signedAt: Date | null;
	/** The secret part of this person's signing address. */
	signingToken: string;
}

/** How a field is drawn; only what the caller said. */
export interface FieldLook {
	fontFamily?: FontFamily;
	fontBold?: boolean;
	fontItalic?: boolean;
	fontSize?: number;
	fontColor?: string;
	dateFormat?: string;
	radioLayout?: RadioLayout;
	dropdownOptions?: string[];
}

export interface Field {
	id: string;
	type: FieldType;
	recipientId: string | null;
	page: number;
	xNorm: number;
	yNorm: number;
	widthNorm: number;
	heightNorm: number;
	required: boolean;
	key: string | null;
	customFieldId: string | null;
	fillMode: FillMode;
	value: string | null;
	placeholderText: string | null;
	helpText: string | null;
	look: FieldLook;
}

export interface TrailEntry {
	at: Date;
	what: string;
	who: string | null;
}

export interface SignDocument extends Sequenced {
	mode: Mode;
	title: string;
	status: DocumentStatus;
	routing: Routing;
	recipients: Recipient[];
	fields: Field[];
	/** The merged source; null when it could not be built. */
	source: Buffer | null;
	pageCount: number;
	sealed: Buffer | null;
	certificate: Buffer | null;
	createdAt: Date;
	expiresAt: Date | null;
	completedAt: Date | null;
	trail: TrailEntry[];
	/** Events that were emitted, so that a second emission of the same one is collapsed. */
	emitted: Set<string>;
}

export interface TemplateRole {
	id: string;
	role: string;
	type: RoleType;
	order: number;
}

export interface TemplateField extends Omit<Field, 'id' | 'recipientId' | 'value' | 'fillMode'> {
	role: string | null;
}

/** Text across the first page of a template, made smaller if it must be to fit its height. */
export interface TextBlock {
	yNorm: number;
	heightNorm: number;
	text: string;
}

export interface Template extends Sequenced {
	mode: Mode;
	name: string;
	description: string | null;
	text: readonly TextBlock[];
	status: TemplateStatus;
	roles: TemplateRole[];
	fields: TemplateField[];
	createdAt: Date;
}

export interface LinkSigner {
	placeholderId: string;
	role: string;
	isOpen: boolean;
	name: string | null;
	email: string | null;
}

export interface TemplateLink extends Sequenced {
	mode: Mode;
	slug: string;
	templateId: string;
	label: string | null;
	headline: string | null;
	message: string | null;
	redirectUrl: string | null;
	expiresAt: Date | null;
	maxUses: number | null;
	useCount: number;
	enabled: boolean;
	signers: LinkSigner[];
	createdAt: Date;
}

export interface EmbedSession {
	recipientId: string;
	redirectUrl: string | null;
	expiresAt: number;
}

/** One attempt to deliver one event to one endpoint. */
export interface Delivery {
	id: string;
	event: EventType;
	eventId: string;
	documentId: string | null;
	attempt: number;
	responseStatus: number | null;
	responseBody: string | null;
	error: string | null;
	succeeded: boolean;
	/** The body as it was and will be sent, byte for byte. */
	body: string;
	createdAt: Date;
}

export interface WebhookEndpoint extends Sequenced {
	mode: Mode;
	url: string;
	events: EventType[];
	status: 'ACTIVE' | 'DISABLED';
	secret: string;
	createdAt: Date;
	/** Attempts in a row that failed; 20 disable the endpoint. */
	failuresInARow: number;
	/** Oldest first, bounded. */
	deliveries: Delivery[];
}
