/** Jest's global tear-down. */
export { removeN8nFolder as default } from './n8nFolder';
