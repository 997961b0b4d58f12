import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Person } from '../../support/n8nServer/apiClient';
import {
	runningN8n,
	startN8n,
	type N8nSettings,
	type RunningN8n,
} from '../../support/n8nServer/server';
import { packed } from './packed';

/**
 * Names the server that gives out places; what reaches the files of the suite from its set-up is
 * the environment.
 */
const VARIABLE = 'ESIGN_E2E_SHARED_N8N';
/** More than there are files; n8n takes ten requests for invitations in five minutes. */
const PLACES = 40;

/** What one file needs of the n8n that all share. */
interface Place {
	settings: N8nSettings;
	email: string;
	invitation: string;
	/** The folder in which n8n may read and write. */
	folder: string;
}

/**
 * A person's place in the n8n that all share: nobody else's workflows, credentials and tables are
 * seen there.
 */
export interface SharedN8n {
	n8n: RunningN8n;
	person: Person;
	/** A folder of this person's, in which n8n may read and write. */
	folder: string;
}

/**
 * Offers one n8n to all files of a run, which is started when the first of them asks: it outlives
 * them, and so belongs to the process that runs the suite.
 */
export async function offerSharedN8n(): Promise<void> {
	let opened: ReturnType<typeof openPlaces> | undefined;
	const server = createServer(({ method }, response) => {
		const answer = async () => {
			if (method !== 'DELETE')
				return JSON.stringify(await (await (opened ??= openPlaces())).next());
			server.close();
			await (await opened)?.close();
			return '';
		};
		answer().then(
			(body) => response.end(body),
			(error: Error) => response.writeHead(500).end(error.stack),
		);
	});
	await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
	process.env[VARIABLE] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function openPlaces(): Promise<{ next(): Promise<Place>; close(): Promise<void> }> {
	const folder = await realpath(await mkdtemp(join(tmpdir(), 'n8n-nodes-esign-shared-')));
	const userFolder = join(folder, 'user');
	const files = join(folder, 'files');
	for (const path of [userFolder, files]) await mkdir(path);
	const n8n = await startN8n({
		tarball: packed().path,
		userFolder,
		env: { N8N_RESTRICT_FILE_ACCESS_TO: files, N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem' },
		onProgress: (message) => process.stderr.write(`${message}\n`),
	});
	const emails = Array.from({ length: PLACES }, (_, index) => `person${index}@example.com`);
	const invitations = await n8n.api.invite(emails);
	const next = async (): Promise<Place> => {
		const [email, invitation] = [emails.shift(), invitations.shift()];
		if (!email || !invitation) throw new Error(`More than ${PLACES} places were asked for`);
		return {
			settings: n8n.settings,
			email,
			invitation,
			folder: await mkdtemp(join(files, 'file-')),
		};
	};
	const close = async () => {
		await n8n.close();
		await rm(folder, { recursive: true, force: true });
	};
	return { next, close };
}

/** Joins the shared n8n as a new person; the first to ask waits for its start. */
export async function joinSharedN8n(): Promise<SharedN8n> {
	const { settings, email, invitation, folder } = JSON.parse(await ask('POST')) as Place;
	const n8n = await runningN8n(settings);
	const person = { email, firstName: 'Paula', lastName: 'Person', password: 'Sign-here-1' };
	await n8n.api.accept(invitation, person);
	return { n8n, person, folder };
}

/** Stops the shared n8n, if anybody has used it. */
export async function closeSharedN8n(): Promise<void> {
	await ask('DELETE');
}

/**
 * Without the time limits of `fetch`: the first start of n8n may install it, which takes minutes.
 */
async function ask(method: string): Promise<string> {
	const url = process.env[VARIABLE];
	if (!url)
		throw new Error('The shared n8n is offered by the global set-up of test/e2e/jest.config.js');
	return await new Promise((resolve, reject) => {
		request(url, { method, agent: false }, (response) => {
			const { statusCode } = response;
			text(response).then(
				(body) => (statusCode === 200 ? resolve(body) : reject(new Error(body))),
				reject,
			);
		})
			.on('error', reject)
			.end();
	});
}
