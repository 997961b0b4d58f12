/**
 * The only code of this package that speaks HTTP: every call of the service, paced, retried so that its effect happens
 * once, and with every failure in words. See the functions of `Transport` for what each does.
 */
import { createTransport } from './transport';

export const { apiRequest, apiRequestAll, apiRequestPage, uploadFile, forgetUpload, downloadFile } = createTransport();

export { ENDPOINTS, type Endpoint, type ItemOf, type PagedEndpoint } from './endpoints';
export type { ApiContext } from './context';
export type { ApiRequest } from './address';
export type { Download } from './download';
export type { LabelOf } from './fieldLabels';
export { createTransport, type Transport, type UploadInput } from './transport';
export { mayHaveDoneForGood } from './errors';
export { defaultSettings, type Clock, type TransportSettings } from './settings';
export type * from './wire';
