/** The values by what `keyOf` says of each, in their order. */
export function groupBy<Key, Value>(
	values: Iterable<Value>,
	keyOf: (value: Value) => Key,
): Map<Key, Value[]> {
	const groups = new Map<Key, Value[]>();
	for (const value of values) {
		const key = keyOf(value);
		const group = groups.get(key);
		if (group) group.push(value);
		else groups.set(key, [value]);
	}
	return groups;
}

/** How often each name occurs. */
export function countOf(names: Iterable<string>): Map<string, number> {
	return new Map([...groupBy(names, (name) => name)].map(([name, same]) => [name, same.length]));
}
