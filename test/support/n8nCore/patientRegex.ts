import { setSafeRegexEngine } from 'n8n-workflow';

/**
 * n8n gives every regular expression of a node's parameters 250 ms by the wall clock. On a busy
 * machine a test may stand still for that long, and the node would fail; the expressions under test
 * are our own, which lint holds to linear time.
 */
setSafeRegexEngine({
	exec: (pattern, input, flags) => new RegExp(pattern, flags).exec(input),
	test: (pattern, input, flags) => new RegExp(pattern, flags).test(input),
	replace: (pattern, input, flags, replacement) =>
		input.replace(new RegExp(pattern, flags), replacement),
	matchAll: (pattern, input, flags = '') => [
		...input.matchAll(new RegExp(pattern, flags.includes('g') ? flags : `${flags}g`)),
	],
	split: (pattern, input, flags) => input.split(new RegExp(pattern, flags)),
});
