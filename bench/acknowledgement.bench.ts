import { deliverSteadily, type Delivery } from './acknowledgement/deliveries';
import { sampleGroupMemory } from './acknowledgement/groupMemory';
import {
	successes,
	withRealServer,
	type Published,
	type RealServer,
} from './acknowledgement/server';
import { median, quantile } from '../test/support/statistics';
import type { Bench, Figure } from './report/figure';
import { withSandbox } from '../test/support/sandboxProcess';

/**
 * Less than n8n starts in a second on two cores, some ten executions: beyond that a queue is
 * measured, whoever is in it.
 */
const PER_SECOND = 5;
const BLOCK_SECONDS = 20;

const TRIGGER = 'eSign Trigger';
const GITHUB = 'GitHub Trigger';
const WEBHOOK = 'Webhook node';

/**
 * n8n 2.41 makes a V8 isolate for expressions, tens of milliseconds of CPU time, for every request
 * to any node but its own Webhook node (LiveWebhooks.webhookPhaseNeedsIsolate), needed or not. With
 * this setting it makes one when an expression is there to be evaluated, so that what is left
 * between the two sides is what the nodes themselves do.
 */
const ISOLATES_ON_DEMAND = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };

interface Measured {
	deliveries: Record<string, Delivery[]>;
	lost: Record<string, number>;
	memory: number[];
}

/**
 * Five events a second for two minutes into a real n8n, in turns: for our trigger, for one of n8n's
 * own that checks a signature as well, and for its Webhook node, which checks nothing.
 */
export const run: Bench = async ({ quick }) => {
	const blocks = quick ? 1 : 6;
	return await withSandbox({ rateLimit: 0 }, async (service) => {
		const asSet = await withRealServer(service, {}, async (real) => await measure(real, blocks));
		const onDemand = await withRealServer(
			service,
			ISOLATES_ON_DEMAND,
			async (real) => await measure(real, blocks),
		);
		return {
			title: `Acknowledgement: ${PER_SECOND} events a second for ${blocks * BLOCK_SECONDS} s into a real n8n`,
			sides: [TRIGGER, GITHUB, WEBHOOK],
			figures: figuresOf(asSet, onDemand),
		};
	});
};

async function measure(
	{ server, ours, github, webhook }: RealServer,
	blocks: number,
): Promise<Measured> {
	const deliveries: Record<string, Delivery[]> = { [TRIGGER]: [], [GITHUB]: [], [WEBHOOK]: [] };
	const sides: Array<[string, Published]> = [
		[TRIGGER, ours],
		[GITHUB, github],
		[WEBHOOK, webhook],
	];
	// A start's first executions load what later ones find in place.
	const acknowledged: Record<string, number> = {};
	for (const [side, { receiver }] of sides) {
		acknowledged[side] = countAcknowledged(await deliverSteadily(receiver, PER_SECOND, 2));
	}
	const memory = await sampleGroupMemory(server.pid ?? 0, async () => {
		for (let block = 0; block < blocks; block++) {
			for (const [side, { receiver }] of sides) {
				deliveries[side]?.push(...(await deliverSteadily(receiver, PER_SECOND, BLOCK_SECONDS)));
			}
		}
	});
	const lost: Record<string, number> = {};
	for (const [side, { workflowId }] of sides) {
		const expected = (acknowledged[side] ?? 0) + countAcknowledged(deliveries[side] ?? []);
		lost[side] = expected - (await successes(server, workflowId, expected));
	}
	return { deliveries, lost, memory };
}

function countAcknowledged(deliveries: Delivery[]): number {
	return deliveries.filter(({ acknowledged }) => acknowledged).length;
}

const by = (measured: Measured, read: (all: Delivery[]) => number) =>
	Object.fromEntries(Object.entries(measured.deliveries).map(([side, all]) => [side, read(all)]));

const quantiles = (measured: Measured, q: number) =>
	by(measured, (all) =>
		quantile(
			all.map(({ ms }) => ms),
			q,
		),
	);

const ratio = (values: Record<string, number>) => ({
	[TRIGGER]: (values[TRIGGER] ?? 0) / (values[GITHUB] ?? 1),
	[GITHUB]: 1,
	[WEBHOOK]: (values[WEBHOOK] ?? 0) / (values[GITHUB] ?? 1),
});

function figuresOf(asSet: Measured, onDemand: Measured): Figure[] {
	const { lost, memory } = asSet;
	const p99 = quantiles(asSet, 0.99);
	const quarter = (index: number) =>
		median(memory.slice((memory.length * index) / 4, (memory.length * (index + 1)) / 4));
	return [
		{
			name: 'Acknowledgement, p50',
			unit: 'ms',
			values: quantiles(asSet, 0.5),
			meaning:
				'half of the deliveries were answered within this time, counted from sending the request.',
		},
		{
			name: 'Acknowledgement, p99',
			unit: 'ms',
			values: p99,
			meaning:
				'all but one in a hundred were answered within this time; the service gives up after 10,000 ms.',
		},
		{
			name: 'p99 over that of the GitHub Trigger',
			unit: 'x',
			values: ratio(p99),
			target: { atMost: 1.05 },
			meaning:
				"the same work as n8n's own trigger does that checks a signature, and repetitions on top.",
		},
		{
			name: 'p50, isolates on demand',
			unit: 'ms',
			values: quantiles(onDemand, 0.5),
			meaning:
				'as above, where n8n is set not to make a V8 isolate for every request to a node other than its Webhook node.',
		},
		{
			name: 'p99 ratio, isolates on demand',
			unit: 'x',
			values: ratio(quantiles(onDemand, 0.99)),
			target: { atMost: 1.05 },
			meaning:
				'the same where n8n makes no isolate: what the triggers themselves cost is a larger share of this.',
		},
		{
			name: 'Refused',
			unit: 'deliveries',
			values: by(asSet, (all) => all.length - countAcknowledged(all)),
			target: { atMost: 0 },
			meaning:
				'deliveries answered with anything but a 2xx, which the service tries again; an overloaded n8n answers 503.',
		},
		{
			name: 'Events lost',
			unit: 'events',
			values: lost,
			target: { atMost: 0 },
			meaning: 'acknowledged events that no successful execution came of.',
		},
		{
			name: "Growth of n8n's memory",
			unit: 'x',
			values: { [TRIGGER]: quarter(3) / quarter(1) },
			target: { atMost: 1.1 },
			meaning:
				'memory of the server in the last quarter of the run over that in the second: 1 is flat.',
		},
	];
}
