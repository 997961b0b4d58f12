export { cffEncoding } from './cff';
export { type1Encoding } from './type1';
