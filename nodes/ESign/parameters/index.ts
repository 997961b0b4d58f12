/** What an operation is made of: what it asks for, with the rules for it, and the item that it reads. */
export * from './binaryFile';
export { describe, foundNothing, isNothing, onlyOf, partOf, type Given } from './checks/given';
export { refusedForGlue } from './checks/glued';
export { dayOf } from './checks/moments';
export type { Problems, Refuse } from './checks/problems';
export { EMAIL, HTTPS_URI, isFit, WEBHOOK_URI } from './checks/rules';
export { withoutInvisibleEnds } from './checks/text';
export * from './declare';
export * from './entryList';
export * from './item';
export * from './locators';
export * from './paging';
export * from './people';
export * from './sending';
export type { Value } from './value';
