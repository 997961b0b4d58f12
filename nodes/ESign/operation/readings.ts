import { client, RecentMap } from '../client';

interface Reading {
	/**
	 * When it was asked for; it counts as old from `keptMs` after that. Unset if it has failed, or
	 * may have changed.
	 */
	at?: number;
	answer: Promise<unknown>;
	/** The last answer that arrived, which may be older. */
	known?: unknown;
}

/**
 * What the service has answered a short while ago, by name: the oldest go when there are more than
 * `most`.
 */
export class Readings extends RecentMap<string, Reading> {
	constructor(
		private readonly keptMs: number,
		most: number,
	) {
		super(most);
	}

	/**
	 * What was read, or is being read, since a time, or a new reading. One that fails is not kept.
	 */
	async read<Answer>(
		name: string,
		ask: () => Promise<Answer>,
		since = client.now() - this.keptMs,
	): Promise<Answer> {
		const kept = this.get(name);
		if (kept?.at !== undefined && kept.at >= since) return (await kept.answer) as Answer;
		const reading: Reading = { at: client.now(), answer: ask(), known: kept?.known };
		this.set(name, reading);
		reading.answer.then(
			(answer) => (reading.known = answer),
			() => (reading.at = undefined),
		);
		return (await reading.answer) as Answer;
	}

	/** The last answer, however old. */
	known<Answer>(name: string): Answer | undefined {
		return this.get(name)?.known as Answer | undefined;
	}

	/** What may have changed at the service is asked for anew. */
	expire(mayHaveChanged: (name: string, known: unknown) => boolean): void {
		for (const [name, reading] of this) {
			if (mayHaveChanged(name, reading.known)) reading.at = undefined;
		}
	}
}
