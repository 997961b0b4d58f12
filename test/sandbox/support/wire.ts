import type { AxiosInstance, AxiosRequestConfig, AxiosResponse } from 'axios';

/** A list of which a test knows that the first ones are there. */
type Few<T> = T[] & { 0: T; 1: T; 2: T };

/**
 * What an answer of the service may hold; the description, checked on every answer, says what is
 * really there.
 */
export interface Wire {
	id: string;
	status: string;
	title: string;
	name: string;
	mode: string;
	url: string;
	slug: string;
	expires_at: string;
	signing_secret: string;
	use_count: number;
	has_more: boolean;
	next_cursor: string | null;
	replayed: boolean;
	event: string;
	event_id: string;
	attempt: number;
	response_status: number | null;
	response_body: string | null;
	succeeded: boolean;
	document_id: string | null;
	payload: Record<string, unknown>;
	expires_in: number;
	usage: Record<string, unknown>;
	plan: Record<string, unknown>;
	organization: Record<string, unknown>;
	roles: Few<{ id: string; role: string; type: string; order: number }>;
	fields: Array<Record<string, unknown>>;
	recipients: Few<{ id: string; name: string; email: string; role: string | null; status: string }>;
	embed_links: Few<{ recipient_id: string; url: string; expires_at: string }>;
	signers: Array<Record<string, unknown>>;
	data: Few<Wire>;
	error: {
		code: string;
		message: string;
		details?: Few<{ field: string; message: string }>;
	} & Record<string, unknown>;
}

export type Answer = AxiosResponse<Wire>;

type Call = (url: string, data?: unknown, config?: AxiosRequestConfig) => Promise<Answer>;

/** Calls the service with one key. */
export interface Caller {
	request<T = Wire>(config: AxiosRequestConfig): Promise<AxiosResponse<T>>;
	get(url: string, config?: AxiosRequestConfig): Promise<Answer>;
	delete(url: string): Promise<Answer>;
	post: Call;
	put: Call;
	interceptors: AxiosInstance['interceptors'];
}

/** Status and code of a refusal. */
export const refusal = ({ status, data }: Answer): string => `${status} ${data.error.code}`;

/** The places that a refusal names. */
export const placesIn = ({ data }: Answer): string[] | undefined =>
	data.error.details?.map(({ field }) => field);
