/** A map that forgets its oldest entries. What was set last is the last to go. */
export class RecentMap<Key, Value> extends Map<Key, Value> {
	constructor(private readonly most: number) {
		super();
	}

	override set(key: Key, value: Value): this {
		this.delete(key);
		super.set(key, value);
		if (this.size > this.most) this.delete(this.keys().next().value as Key);
		return this;
	}
}
