import { route } from '../http/route';
import { accountWire } from './wire';
import { accountSchema } from '../schemas/accountAnswers';
import type { World } from '../state/world';

export function accountRoutes(world: World) {
	return [
		route({
			method: 'GET',
			path: '/account',
			operationId: 'getAccount',
			scope: 'account:read',
			summary:
				'Gets the workspace, its plan, the mode of the key and the usage of the billing period',
			tag: 'Account',
			status: 200,
			response: accountSchema,
			errors: [],
			handle: ({ mode }) => accountWire(world.state, mode, world.timeline.date()),
		}),
	];
}
