import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../src/config/config';
import { createApp } from '../../src/create-app';
import { type ApiDocument, withoutEnvelope } from './document';
import { renderErrors } from './errors';
import { renderOperations } from './operations';

/** Returns the OpenAPI document of the built service, created on an empty in-memory database. */
async function describeService(): Promise<ApiDocument> {
  const env = {
    NODE_ENV: 'test',
    DATABASE_URL: 'sqlite::memory:',
    JWT_SECRET: 'nobody-logs-in-here-with-32-bytes-or-more',
    MEDIA_PROVIDER: 'webrtc',
    // Without a secret the service has no routes for attachments. Nothing is stored.
    FILES_SECRET: 'no-file-is-signed-here-with-32-bytes-or-more',
    LOG_LEVEL: 'silent',
  };
  const app = await createApp(loadConfig(env));
  try {
    await app.init();
    const { body } = await app.inject({ method: 'GET', url: '/docs-json' });
    return JSON.parse(body) as ApiDocument;
  } finally {
    await app.close();
  }
}

/** Writes the generated part of the client into `folder`, which is emptied first. The output is deterministic. */
export async function generateClient(folder: string): Promise<void> {
  const document = await describeService();
  const { createClient } = await import('@hey-api/openapi-ts');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await createClient({
    input: withoutEnvelope(document) as never,
    output: { path: folder, entryFile: false, module: { extension: '.js' } },
    plugins: [{ name: '@hey-api/typescript', case: 'PascalCase' }],
    logs: { level: 'silent' },
  });
  const types = join(folder, 'types.gen.ts');
  writeFileSync(types, withoutUrls(readFileSync(types, 'utf8')));
  writeFileSync(join(folder, 'operations.gen.ts'), renderOperations(document));
  writeFileSync(join(folder, 'errors.gen.ts'), renderErrors());
}

/** Removes the routes from the types, where every caller would have to pass them; the table of operations has them. */
const withoutUrls = (source: string): string => source.replaceAll(/^ {4}url: '[^']*';\n/gm, '');
