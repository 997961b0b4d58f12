import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INodeTypeDescription } from 'n8n-workflow';
import { ESign } from '../../nodes/ESign/ESign.node';
import { ESignTrigger } from '../../nodes/ESign/ESignTrigger.node';
import { packCopy, projectRoot } from '../support/packing';
import { packed } from './support/packed';
import { setSharedStage, STAGE_TIMEOUT_MS, type SharedStage } from './support/stage';

describe('The packed package in a real n8n', () => {
	let stage: SharedStage;

	beforeAll(async () => {
		stage = await setSharedStage();
	}, STAGE_TIMEOUT_MS);
	afterAll(async () => await stage?.close());

	it('holds the compiled nodes and credential, README, LICENSE and package.json, and nothing else', () => {
		const beside = packed().files.filter((path) => !path.startsWith('dist/'));
		expect(beside).toEqual(['LICENSE.md', 'README.md', 'package.json']);
		const foreign = packed().files.filter(
			(path) =>
				path.startsWith('dist/') &&
				!/^dist\/(nodes|credentials)\/.+(\.(js|svg|node\.json)|\/__schema__\/.+\.json)$/.test(path),
		);
		expect(foreign).toEqual([]);
		expect(packed().size).toBeLessThan(180_000);
	});

	/** What a script prints about the built nodes, in a process of its own. */
	const ofBuilt = (script: string): unknown => {
		const load =
			"const built = ['ESign', 'ESignTrigger'].map((name) => require(`./dist/nodes/ESign/${name}.node.js`)[name]);";
		const print = `console.log(JSON.stringify(${script}))`;
		return JSON.parse(
			execFileSync(process.execPath, ['-e', load + print], { cwd: projectRoot, encoding: 'utf8' }),
		);
	};

	it('describes its nodes as the source does, in the same order', () => {
		const source = [new ESign(), new ESignTrigger()].map(({ description }) =>
			JSON.stringify(description),
		);
		expect(ofBuilt('built.map((Node) => JSON.stringify(new Node().description))')).toEqual(source);
	});

	it('is the same to the last byte when it is built again elsewhere', async () => {
		const again = await packCopy();
		await again.remove();
		expect(again.integrity).toBe(packed().integrity);
	});

	it('gives n8n the action node, the tool that n8n makes of it, and the trigger', async () => {
		const folder = await mkdtemp(join(tmpdir(), 'exported-nodes-'));
		try {
			const file = join(folder, 'nodes.json');
			await stage.n8n.cli(['export:nodes', `--output=${file}`]);
			const all = JSON.parse(await readFile(file, 'utf8')) as INodeTypeDescription[];
			const ours = all.filter(({ name }) => name.startsWith('n8n-nodes-esign.'));
			expect(ours.map(({ name }) => name).sort()).toEqual([
				'n8n-nodes-esign.eSign',
				'n8n-nodes-esign.eSignTool',
				'n8n-nodes-esign.eSignTrigger',
			]);
		} finally {
			await rm(folder, { recursive: true, force: true });
		}
	});

	describe('tested in the credential dialog', () => {
		const test = async (data: { baseUrl?: string; apiKey?: string }) =>
			await stage.n8n.api.testCredential({
				name: 'eSign account',
				type: 'eSignApi',
				data: { baseUrl: stage.sandbox.url, apiKey: stage.sandbox.keys.test, ...data },
			});

		/**
		 * 1.x has words of its own: it loses the status to which the messages of a credential's test
		 * are tied.
		 */
		const told = (message: string): unknown =>
			stage.n8n.line === 'v1' ? expect.any(String) : message;

		it.each(['test', 'live'] as const)('accepts a %s key', async (mode) => {
			expect(await test({ apiKey: stage.sandbox.keys[mode] })).toMatchObject({ status: 'OK' });
		});

		it('refuses a key that the service does not know', async () => {
			expect(await test({ apiKey: 'sk_test_unknown' })).toEqual({
				status: 'Error',
				message: told(
					'The service does not accept the API key: it is mistyped, revoked or expired',
				),
			});
		});
	});
});
