import type { ApiClient, ApiResponse } from './api-client';

export const TUS = '/api/attachments/tus';

/** Returns `Upload-Metadata` with these values. */
export const metadataOf = (fields: Record<string, string>): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    .join(',');

const PROTOCOL = { 'tus-resumable': '1.0.0' };
const BYTES = { 'content-type': 'application/offset+octet-stream' };

/** Creates an upload; with `bytes`, the request contains the first of them. */
export const createUpload = (
  api: ApiClient,
  size: number,
  fields: Record<string, string> = { type: 'file', filename: 'a.bin' },
  bytes?: Buffer,
): Promise<ApiResponse> =>
  api
    .with({
      ...PROTOCOL,
      ...(bytes && BYTES),
      'upload-length': String(size),
      'upload-metadata': metadataOf(fields),
    })
    .send('POST', TUS, bytes);

/** Appends bytes to an upload. */
export const appendBytes = (
  api: ApiClient,
  path: string,
  offset: number,
  bytes: string | Buffer,
  headers: Record<string, string> = {},
): Promise<ApiResponse> =>
  api
    .with({ ...PROTOCOL, ...BYTES, 'upload-offset': String(offset), ...headers })
    .send('PATCH', path, Buffer.from(bytes));

/** Sends a request of the protocol without bytes. */
export const tus = (
  api: ApiClient,
  method: 'HEAD' | 'DELETE' | 'OPTIONS',
  path: string,
): Promise<ApiResponse> => api.with(PROTOCOL).send(method, path);
