import { resources } from '../../../nodes/ESign/actions';
import type { Endpoint } from '../../../nodes/ESign/client';

/**
 * Every operation of the package, with the endpoints that it names: first the one that it is there
 * for.
 */
export const registered = resources.flatMap(({ option: resource, operations }) =>
	operations.map(({ option, endpoint, description }) => ({
		resource: resource.value,
		operation: option.value,
		name: `${resource.value}:${option.value}`,
		labels: [resource.name, option.name],
		endpoints: [endpoint].flat() as Endpoint[],
		description,
	})),
);
