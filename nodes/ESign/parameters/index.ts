/** What an operation is made of: what it asks for, with the rules for it, and the item that it reads. */
export * from './binaryFile';
export { foundNothing, isNothing, partOf, UnreadableParameter, type Given } from './checks/given';
export { refusedForGlue } from './checks/glued';
export { dayOf } from './checks/moments';
export type { Problems } from './checks/problems';
export { checkValue, EMAIL, HTTPS_URI, WEBHOOK_URI } from './checks/rules';
export { hasInvisible, unsendable, withoutInvisibleEnds } from './checks/text';
export { charactersOf, checkString, describe, onlyOf, type Refuse, type TextRule } from './checks/values';
export * from './declare';
export * from './entryList';
export * from './item';
export * from './locators';
export * from './paging';
export * from './people';
export * from './sending';
