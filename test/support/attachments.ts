import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApiClient, ApiResponse } from './api-client';
import { createTestApp, type TestApp } from './test-app';

const BOUNDARY = 'boundary-of-the-test';

/** A part of a form: a field, or with `fileName` a file. */
export interface FormPart {
  name: string;
  content: string | Buffer;
  fileName?: string;
}

/** Returns the body of a `multipart/form-data` request. */
export function formOf(parts: FormPart[]): Buffer {
  const chunks = parts.flatMap(({ name, content, fileName }) => [
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"`,
    fileName === undefined ? '' : `; filename="${fileName}"\r\nContent-Type: text/html`,
    '\r\n\r\n',
    content,
    '\r\n',
  ]);
  return Buffer.concat([...chunks, `--${BOUNDARY}--\r\n`].map((chunk) => Buffer.from(chunk)));
}

/** Sends a form to `POST /api/attachments`. */
export const sendForm = (api: ApiClient, parts: FormPart[]): Promise<ApiResponse> =>
  api
    .with({ 'content-type': `multipart/form-data; boundary=${BOUNDARY}` })
    .send('POST', '/api/attachments', formOf(parts));

/** Uploads a file. */
export const upload = (
  api: ApiClient,
  type: string,
  content: string | Buffer,
  { fileName = 'page.html', duration }: { fileName?: string; duration?: number } = {},
): Promise<ApiResponse> =>
  sendForm(api, [
    { name: 'type', content: type },
    ...(duration === undefined ? [] : [{ name: 'duration', content: String(duration) }]),
    { name: 'file', content, fileName },
  ]);

/** An application that stores attachments in a folder of its own. */
export interface AttachmentsApp extends TestApp {
  /** Returns the names of all files in the storage, those of unfinished uploads included. */
  storedFiles(): string[];
  /** The folder of the storage. */
  folder: string;
}

export async function createAttachmentsApp(
  env: NodeJS.ProcessEnv = {},
  options: { pages?: string } = {},
): Promise<AttachmentsApp> {
  const folder = mkdtempSync(join(tmpdir(), 'callboard-attachments-'));
  const app = await createTestApp({
    ...options,
    env: { ATTACHMENT_STORAGE: `file:${folder}`, PUBLIC_URL: 'https://api.example', ...env },
  });
  const storedFiles = (): string[] =>
    existsSync(folder)
      ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
          statSync(join(folder, name)).isFile(),
        )
      : [];
  const close = async (): Promise<void> => {
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { ...app, folder, storedFiles, close };
}

/** Gets the bytes of a URL of the response, whatever its origin. */
export async function download(
  { app }: Pick<TestApp, 'app'>,
  url: string,
  headers: Record<string, string> = {},
  method: 'GET' | 'HEAD' = 'GET',
): Promise<{ status: number; headers: Record<string, unknown>; bytes: Buffer; body: unknown }> {
  const { pathname, search } = new URL(url);
  const response = await app.inject({ method, url: pathname + search, headers });
  const isJson = String(response.headers['content-type']).startsWith('application/json');
  return {
    status: response.statusCode,
    headers: response.headers,
    bytes: response.rawPayload,
    body: isJson ? response.json() : undefined,
  };
}

/** The smallest valid WAV file: a header and two samples. */
export const WAV = Buffer.from(
  '524946462800000057415645666d74201000000001000100401f0000803e0000020010006461746104000000000000000000',
  'hex',
).subarray(0, 48);
