/** A map that forgets its oldest entries. What was set last is the last to go. */
export class RecentMap<Key, Value> extends Map<Key, Value> {
	/** @param most so many entries are kept */
	constructor(private readonly most: number) {
		super();
	}

	override set(key: Key, value: Value): this {
		this.delete(key);
		super.set(key, value);
		for (const oldest of this.keys()) {
			if (this.size <= this.most) break;
			this.delete(oldest);
		}
		return this;
	}
}
