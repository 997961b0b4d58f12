import type { Static, TObject, TSchema } from '@sinclair/typebox';
import type { FastifyRequest } from 'fastify';
import type { Mode, Scope } from '../state/vocabulary';
import type { ErrorCode } from './errors';

/** What a handler is given: everything is validated, and the caller may call. */
export interface Call<Body, Query> {
	mode: Mode;
	path: Record<string, string>;
	body: Body;
	query: Query;
	/** For the one endpoint that reads a multipart stream. */
	request: FastifyRequest;
}

/**
 * One endpoint of docs/service.md section 4: what is served, validated and described is made from
 * it.
 */
export interface Route {
	method: 'GET' | 'POST' | 'PUT' | 'DELETE';
	/** As docs/service.md writes it: `/documents/{id}`. */
	path: string;
	operationId: string;
	/** What the key must be allowed to do; null for any valid key. */
	scope: Scope | null;
	summary: string;
	tag: string;
	/** Schemas of the path's parameters that take only certain values. */
	params?: Record<string, TSchema>;
	query?: TObject;
	/** Absent for an endpoint that takes no JSON body; `optional` when there may be none. */
	body?: TSchema;
	bodyOptional?: boolean;
	multipart?: boolean;
	status: 200 | 201;
	response: TSchema;
	/** Codes that are this endpoint's own, beside those of every endpoint. */
	errors: readonly ErrorCode[];
	handle(call: Call<unknown, unknown>): unknown;
}

type Spec<B extends TSchema, Q extends TObject> = Omit<Route, 'handle' | 'body' | 'query'> & {
	body?: B;
	query?: Q;
	handle(call: Call<Static<B>, Static<Q>>): unknown;
};

/** Ties a handler's types to the schemas that validate what it is given. */
export function route<B extends TSchema = TSchema, Q extends TObject = TObject>(
	spec: Spec<B, Q>,
): Route {
	return spec as Route;
}
