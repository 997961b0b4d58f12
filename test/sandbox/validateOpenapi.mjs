/** Reads an OpenAPI document on stdin and prints what a validator says of it, as JSON. The validator is ESM only. */
import { text } from 'node:stream/consumers';
import { Validator } from '@seriousme/openapi-schema-validator';

const validator = new Validator();
const result = await validator.validate(JSON.parse(await text(process.stdin)));
process.stdout.write(JSON.stringify({ valid: result.valid, errors: result.errors ?? [], version: validator.version }));
