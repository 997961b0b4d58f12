import { setTimeout as pause } from 'node:timers/promises';
import { contract } from '../../support/serviceClient';
import type { Scene } from '../setting/scene';
import { BY_WEBHOOK, pathOf, type WebhookWorkflow } from '../setting/workflows';
import type { Chance } from './chance';
import type { People } from './people';

/** How often each comes in a round of the work. */
const ROUND: Record<WebhookWorkflow, number> = {
	create: 6,
	template: 7,
	bulk: 1,
	remind: 2,
	list: 1,
	reconcile: 1,
};
/** More than the limit of one window: the node has to wait for the next one. */
const BULK = 12;
const EVERY_MS = 5_000;

/** One execution that the soak asked n8n for. */
export interface Job {
	number: number;
	workflow: WebhookWorkflow;
	at: number;
	/** Titles of the documents that it is to make. */
	titles: string[];
	/** The document that it is about. */
	document?: string;
	/**
	 * n8n's status; undefined when no answer came, and whether it started is then for its executions
	 * to tell.
	 */
	answered?: number;
}

/** Asks n8n for work at a steady pace, the kinds of work in an order that the seed decides. */
export class Jobs {
	readonly all: Job[] = [];
	private halted = false;

	constructor(
		private readonly scene: Scene,
		private readonly people: People,
		private readonly chance: Chance,
	) {}

	/** No new work until `resume`: n8n is not there. */
	halt(): void {
		this.halted = true;
	}

	resume(): void {
		this.halted = false;
	}

	/** Continues until `end`, in milliseconds since the epoch. */
	async run(end: number): Promise<void> {
		// The faults need documents to be out.
		await this.start('bulk');
		const round = this.chance.deal(
			BY_WEBHOOK.flatMap((name) => Array<WebhookWorkflow>(ROUND[name]).fill(name)),
		);
		for (let due = Date.now(); due < end; due += EVERY_MS) {
			await pause(Math.max(0, due - Date.now()));
			if (!this.halted) await this.start(round.next().value);
		}
	}

	/** Starts one job; resolves when n8n has taken it, or has not. */
	async start(workflow: WebhookWorkflow): Promise<void> {
		const document = workflow === 'remind' ? this.people.takeHeld() : undefined;
		if (workflow === 'remind' && document === undefined) return;
		const number = this.all.length + 1;
		const job: Job = { number, workflow, at: Date.now(), titles: [], document };
		this.all.push(job);
		try {
			const body = this.bodyOf(job);
			const isForm = body instanceof FormData;
			const response = await fetch(`${this.scene.n8n.url}/webhook/${pathOf(workflow)}`, {
				method: 'POST',
				headers: isForm ? {} : { 'content-type': 'application/json' },
				body: isForm ? body : JSON.stringify(body),
			});
			await response.text();
			job.answered = response.status;
		} catch {
			// n8n went away meanwhile.
		}
	}

	private bodyOf(job: Job): FormData | object {
		const { number, workflow, titles, document } = job;
		if (workflow === 'create') {
			const recipients = [this.person(`${number}`, 'a'), this.person(`${number}`, 'b')].slice(
				0,
				this.chance.pick([1, 2]),
			);
			titles.push(`Contract ${number}`);
			const form = new FormData();
			form.append('job', `${number}`);
			form.append('title', titles[0] ?? '');
			form.append('recipients', JSON.stringify(recipients));
			form.append(
				'contract',
				new Blob([new Uint8Array(contract)], { type: 'application/pdf' }),
				'contract.pdf',
			);
			return form;
		}
		if (workflow === 'template')
			return { job: number, ...this.fromTemplate(job, `Agreement ${number}`) };
		if (workflow === 'bulk') {
			const contracts = Array.from({ length: BULK }, (_, index) =>
				this.fromTemplate(job, `Bulk ${number}-${index}`),
			);
			return { job: number, contracts };
		}
		return { job: number, document };
	}

	private fromTemplate({ titles }: Job, title: string): object {
		titles.push(title);
		const recipients = this.scene.roles.map((role) => ({ role, ...this.person(title, role) }));
		return { title, recipients };
	}

	private person(of: string, part: string): { name: string; email: string } {
		const local = `${of} ${part}`.toLowerCase().replaceAll(/[^a-z0-9]+/g, '.');
		return { name: `Person ${of} ${part}`, email: `${local}@example.com` };
	}
}
