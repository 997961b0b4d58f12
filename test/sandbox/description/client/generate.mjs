/** Reads an OpenAPI document on stdin and prints its TypeScript types. Files are Blobs, as openapi-fetch sends them. */
import { text } from 'node:stream/consumers';
import openapiTypescript, { astToString } from 'openapi-typescript';
import ts from 'typescript';

const blob = ts.factory.createTypeReferenceNode('Blob');
const types = await openapiTypescript(JSON.parse(await text(process.stdin)), {
	// What has a default may be left out of a request.
	defaultNonNullable: false,
	transform: ({ format }) => (format === 'binary' ? blob : undefined),
});
process.stdout.write(astToString(types));
