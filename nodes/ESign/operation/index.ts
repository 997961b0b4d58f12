/** What an operation is: what it asks for, the item that it reads, and what it says of it. */
export * from './completedFiles';
export * from './hints';
export * from './isTool';
export * from './itemError';
export * from './operation';
export * from './parameters';
export * from './readings';
export * from './waitingFor';
