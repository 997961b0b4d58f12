/**
 * Which way imports run, held by `npm run lint` (dependency-cruiser). Each list is in order: a room imports from those
 * before it, never from those after it. Nothing imports in a circle.
 */
const NODES = [
	'nodes/ESign/service/',
	'nodes/ESign/client/',
	'nodes/ESign/pdf/',
	'nodes/ESign/operation/',
	'nodes/ESign/messages/',
	'nodes/ESign/sending/',
	'nodes/ESign/waiting/',
	'nodes/ESign/actions/',
	'nodes/ESign/methods/',
	'nodes/ESign/trigger/',
	'nodes/ESign/[a-zA-Z]+\\.node\\.ts$',
];

const SANDBOX = [
	'sandbox/state/',
	'sandbox/(pdf|schemas)/',
	'sandbox/http/',
	'sandbox/webhooks/',
	'sandbox/documents/',
	'sandbox/templates/',
	'sandbox/links/',
	'sandbox/acts/',
	'sandbox/(controls|routes|pages)/',
	'sandbox/index\\.ts$',
	'sandbox/cli\\.ts$',
];

/** No room of the list imports from one that comes later. */
const inOrder = (rooms) =>
	rooms.slice(0, -1).map((room, index) => ({
		name: `upwards from ${room}`,
		severity: 'error',
		from: { path: `^${room}` },
		to: { path: `^(${rooms.slice(index + 1).join('|')})` },
	}));

/** Only what stands at the door of a room is used from outside of it. */
const door = (room, doors) => ({
	name: `past the door of ${room}`,
	severity: 'error',
	from: { pathNot: `^${room}` },
	to: { path: `^${room}`, pathNot: `^${room}(${doors})$` },
});

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
	forbidden: [
		{ name: 'circle', severity: 'error', from: {}, to: { circular: true } },
		...inOrder(NODES),
		{
			name: 'in no room',
			severity: 'error',
			from: { path: '^nodes/', pathNot: `^(${NODES.join('|')})` },
			to: {},
		},
		...inOrder(SANDBOX),
		door('nodes/ESign/client/', 'index\\.ts'),
		door('nodes/ESign/pdf/', 'index\\.ts'),
		// Each is written from the description of the service on its own, so that a misreading on one side shows.
		{
			name: 'sandbox and nodes',
			severity: 'error',
			from: { path: '^sandbox/' },
			to: { path: '^(nodes|credentials)/' },
		},
		{
			name: 'nodes and sandbox',
			severity: 'error',
			from: { path: '^(nodes|credentials)/' },
			to: { path: '^sandbox/' },
		},
		{
			name: 'published code stands alone',
			severity: 'error',
			from: { path: '^(nodes|credentials)/' },
			to: { path: '^(test|bench|scripts|demo)/' },
		},
	],
	options: {
		tsPreCompilationDeps: true,
		tsConfig: { fileName: 'tsconfig.json' },
		doNotFollow: { path: 'node_modules' },
		exclude: { path: 'node_modules' },
	},
};
