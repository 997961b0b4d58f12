import { setTimeout as pause } from 'node:timers/promises';
import type { Document, ServiceClient } from '../../support/serviceClient';
import type { EventLedger, LedgerEvent } from '../setting/eventLedger';
import { calmly } from './calmly';
import { Chance } from './chance';

/** What becomes of a document that has gone out. */
const FATES = [
	...Array<'sign'>(11).fill('sign'),
	...Array<'viewAndSign'>(3).fill('viewAndSign'),
	'decline',
	'decline',
	'expire',
] as const;
type Fate = (typeof FATES)[number];

/** So many documents are left alone at least, for a fault that needs them or for a reminder. */
const STOCK = 12;

/** The recipients, who open, sign and decline what they are sent, some seconds later. */
export class People {
	readonly acts: Record<string, number> = {};
	/** Documents that nobody touches until they are asked for. */
	private readonly held: string[] = [];
	private readonly working = new Set<Promise<void>>();
	private readonly fates: Generator<Fate, never>;
	private resting = false;
	private acting = 0;
	private readonly chance: Chance;

	constructor(
		private readonly service: ServiceClient,
		ledger: EventLedger,
		seed: number,
	) {
		this.chance = new Chance(seed);
		this.fates = this.chance.deal(FATES);
		ledger.onEvent((event) => this.receive(event));
	}

	/**
	 * Nobody acts on their own until `wake`, so that a fault alone decides how much happens
	 * meanwhile. Resolves when those who are at it are through.
	 */
	async rest(): Promise<void> {
		this.resting = true;
		while (this.acting > 0) await pause(200);
	}

	wake(): void {
		this.resting = false;
	}

	/** How many documents are held. */
	get stock(): number {
		return this.held.length;
	}

	/** A document that is out and stays so: for a reminder. */
	takeHeld(): string | undefined {
		return this.held.shift();
	}

	/** This becomes of so many of the documents held. */
	async actOnHeld(count: number, fate: 'sign' | 'decline'): Promise<void> {
		await Promise.all(this.held.splice(0, count).map(async (id) => await this.act(id, fate)));
	}

	/** Resolves when everybody has done what they were about to do. */
	async done(): Promise<void> {
		while (this.working.size > 0) await Promise.all(this.working);
	}

	private receive({ event, documentId }: LedgerEvent): void {
		if (event !== 'document.sent') return;
		if (this.held.length < STOCK && this.chance.pick([true, false])) {
			this.held.push(documentId);
			return;
		}
		const work = this.later(
			documentId,
			this.fates.next().value,
			this.chance.between(1_000, 15_000),
		);
		this.working.add(work);
		void work.finally(() => this.working.delete(work));
	}

	private async later(documentId: string, fate: Fate, wait: number): Promise<void> {
		await pause(wait);
		while (this.resting) await pause(500);
		this.acting++;
		await this.act(documentId, fate).finally(() => this.acting--);
	}

	private async act(documentId: string, fate: Fate): Promise<void> {
		const { control } = this.service;
		this.acts[fate] = (this.acts[fate] ?? 0) + 1;
		if (fate === 'expire') return await control.expire(documentId);
		// No fault is aimed at the reading of single documents; a refused address hits this too, for a
		// while.
		const { recipients } = await calmly(
			`document ${documentId}`,
			async () => await this.service.api<Document>('GET', `/documents/${documentId}`),
		);
		for (const { id } of recipients) {
			if (fate === 'viewAndSign') {
				await control.view(id);
				await pause(1_000);
			}
			if (fate === 'decline') return await control.decline(id);
			await control.sign(id);
		}
	}
}
