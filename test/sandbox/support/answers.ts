/**
 * Keeps what was answered on the wire while the tests ran: each status and code of an endpoint,
 * each object in its answers, each property with a value and as null. everyAnswer.mjs, a reporter
 * of Jest, compares it with the description when all files of test/sandbox/ have run.
 */
import { appendFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
	codesOf,
	nameOf,
	type Description,
	type Operation,
	type Schema,
} from './servedDescription';

/** Made by the reporter; absent when Jest runs without it. */
const FOLDER = process.env.SANDBOX_ANSWERS;

/** May be null by the description, and never is here. */
const NEVER_NULL = [
	...['WebhookDelivery.document_id is null', 'Usage.documents_included is null'],
	...['Usage.period_start is null', 'Usage.period_end is null'],
];

const seen = new Set<string>();

/** The code without the detail after its colon. */
function codeOf(answer: unknown): string {
	const code = (answer as { error?: { code?: unknown } } | undefined)?.error?.code;
	return typeof code === 'string' ? (code.split(':')[0] ?? '') : '';
}

/** What is to be noted of a value, which is as its schema says. */
function notesOn(
	description: Description,
	schema: Schema,
	value: unknown,
	endpoint: string,
): string[] {
	const { oneOf = [], items, properties = {} } = description.resolve(schema);
	const inner = (part: Schema, one: unknown) => notesOn(description, part, one, endpoint);
	if (Array.isArray(value)) return value.flatMap((one) => inner(items ?? {}, one));
	if (typeof value !== 'object' || value === null) return [];
	const { event } = value as { event?: unknown };
	const choice = oneOf.find((one) =>
		description.resolve(one).properties?.event?.enum?.includes(event),
	);
	if (choice) return inner(choice, value);
	const name = nameOf(schema);
	const own = Object.entries(value).flatMap(([key, one]) => [
		...(name ? [`${name}.${key} ${one === null ? 'is null' : 'has a value'}`] : []),
		...inner(properties[key] ?? {}, one),
	]);
	return [...(name ? [`${endpoint} answers ${name}`] : []), ...own];
}

export function recordAnswer(
	description: Description,
	operation: Operation,
	status: number,
	answer: unknown,
): void {
	if (!FOLDER) return;
	const { name } = operation;
	const objects =
		status < 300 ? notesOn(description, operation.answer(status) ?? {}, answer, name) : [];
	const lines = [[name, status, codeOf(answer)].join(' ').trim(), ...objects].filter(
		(line) => !seen.has(line),
	);
	for (const line of lines) seen.add(line);
	const unique = [...new Set(lines)].map((line) => `${line}\n`).join('');
	if (unique) appendFileSync(path.join(FOLDER, `answered.${process.pid}`), unique);
}

/** Everything that an operation may answer with. */
function answersOf(description: Description, operation: Operation): string[] {
	const { name, statuses, answer } = operation;
	const successes = statuses.filter((status) => status < 400);
	const parts = successes.flatMap((status) => description.partsOf(answer(status) ?? {}));
	const objects = parts.filter((part) => description.schemaOf(part).properties);
	return [
		...successes.map((status) => `${name} ${status}`),
		...codesOf(operation).map(([status, code]) => `${name} ${status} ${code}`),
		...objects.map((part) => `${name} answers ${part}`),
		...objects.flatMap((part) =>
			Object.entries(description.schemaOf(part).properties ?? {}).flatMap(
				([key, { type, anyOf = [] }]) => [
					...(type === 'null' ? [] : [`${part}.${key} has a value`]),
					...(type === 'null' || anyOf.some((choice) => choice.type === 'null')
						? [`${part}.${key} is null`]
						: []),
				],
			),
		),
	].filter((line) => !NEVER_NULL.includes(line));
}

/** Writes down everything that may be answered. */
export function recordDescription(description: Description): void {
	if (!FOLDER) return;
	const lines = description.operations.flatMap((operation) => answersOf(description, operation));
	writeFileSync(path.join(FOLDER, 'described'), [...new Set(lines)].join('\n'));
}
