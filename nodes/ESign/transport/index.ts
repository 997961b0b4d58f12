/**
 * The only code of this package that speaks HTTP: every call of the service, paced, retried so that its effect happens
 * once, and with every failure in words. See the functions of `Transport` for what each does.
 */
import { createTransport } from './transport';

export const { apiRequest, apiRequestAll, apiRequestPage, uploadFile, forgetUpload, downloadFile } = createTransport();

export { ENDPOINTS, type Endpoint, type ItemOf, type PagedEndpoint } from '../service/endpoints';
export type { ApiContext } from './session/context';
export type { ApiRequest } from './http/address';
export type { Download } from './http/download';
export type { LabelOf } from './errors/fieldLabels';
export { createTransport, type Transport, type UploadInput } from './transport';
export { mayHaveDoneForGood } from './errors/failure';
export { defaultSettings, type Clock, type TransportSettings } from './session/settings';
export type * from '../service/wire';
