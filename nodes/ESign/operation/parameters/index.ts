/**
 * What an operation is made of: what it asks for, with the rules for it, and the item that it
 * reads.
 */
export * from './binaryFile';
export {
	describe,
	foundNothing,
	isLeftOut,
	isNothing,
	onlyOf,
	partOf,
	refusedForMistake,
	type ParameterValue,
} from './checks/parameterValue';
export { dayOf } from './checks/dates';
export { formatOf } from './checks/fileFormat';
export type { Problems, Refuse } from './checks/problems';
export { EMAIL, HTTPS_URI, isFit, WEBHOOK_URI, withoutInvisibleEnds } from './checks/text';
export * from './declare';
export * from './entryList';
export * from './item';
export * from './locators';
export * from './paging';
export * from './sending';
export { optionsOf, type Options, type Value } from './value';
