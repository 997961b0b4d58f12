import { resources } from '../../../../nodes/ESign/actions';
import type { Resource } from '../../../../nodes/ESign/actions/operation';

const every: readonly Resource[] = resources;

/** Every operation, with the names that the editor shows and its parameters. */
export const operations = every.flatMap(({ option: resource, operations: of }) =>
	of.map(({ option, description }) => ({
		resource: resource.name,
		operation: option.name,
		description: description.map(({ property }) => property),
	})),
);
