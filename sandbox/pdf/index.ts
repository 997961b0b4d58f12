import type * as Engine from './engine.js';

export type { CertificateInput } from './certificate/buildCertificate';
export type { Inspection } from './upload/inspectFile';
export type { FieldType } from '../state/vocabulary';
export type { PlacedField } from './fields/placedField';
export { SourceBuildError } from './source/sourceBuildError';

/** The PDF libraries and their fonts take longer to load than the rest of the service: they wait for the first file. */
const engine = async (): Promise<typeof Engine> => await import('./engine.js');

export const buildCertificate: typeof Engine.buildCertificate = async (input) =>
	await (await engine()).buildCertificate(input);

export const buildSource: typeof Engine.buildSource = async (files) => await (await engine()).buildSource(files);

export const drawTemplate: typeof Engine.drawTemplate = async (template) =>
	await (await engine()).drawTemplate(template);

export const inspectFile: typeof Engine.inspectFile = async (bytes) => await (await engine()).inspectFile(bytes);

export const pageSizes: typeof Engine.pageSizes = async (bytes) => await (await engine()).pageSizes(bytes);

export const sealDocument: typeof Engine.sealDocument = async (input) => await (await engine()).sealDocument(input);
