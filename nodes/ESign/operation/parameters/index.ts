/**
 * What an operation is made of: what it asks for, with the rules for it, and the item that it
 * reads.
 */
export * from './binaryFile';
export * from './checks/dates';
export * from './checks/fileFormat';
export * from './checks/parameterValue';
export * from './checks/problems';
export * from './checks/text';
export * from './declare';
export * from './entryList';
export * from './item';
export * from './locators';
export * from './paging';
export * from './sending';
export * from './value';
