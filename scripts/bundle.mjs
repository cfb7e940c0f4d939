import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { build } from 'rolldown';

/*
 * Bundles the compiled service with its packages into one file. Without it, a start resolves, reads and compiles 2,300
 * files, which is a third of its processor time (docs/adr/0054).
 */

const ENTRY = 'dist/src/main.js';
/** One folder below `dist`, like the entry: the path of the web app is relative to the file. */
const BUNDLE = 'dist/bundle/main.js';
/** Packages with native code, and those that few configurations load. They are loaded from `node_modules`. */
const EXTERNAL = [
  /^better-sqlite3/,
  /^@node-rs\/argon2/,
  /^agora-token/,
  /^livekit-server-sdk/,
  /^pino-pretty/,
];

/** Writes `dist/bundle/main.js`. Not minified, so that stack traces remain readable: the start is equally fast. */
export async function bundleService() {
  const { output } = await build({
    input: ENTRY,
    platform: 'node',
    external: EXTERNAL,
    plugins: [loadTypeormOnce],
    write: false,
    logLevel: 'warn',
    onLog(level, log, handler) {
      // Drivers and transports that are not installed. They are required only if they are configured.
      if (log.code !== 'UNRESOLVED_IMPORT') handler(level, log);
    },
    output: { format: 'cjs', keepNames: true, codeSplitting: false, comments: false },
  });
  await mkdir(dirname(BUNDLE), { recursive: true });
  await writeFile(BUNDLE, toAscii(output[0].code));
}

/** `@nestjs/typeorm` would load a second TypeORM from `node_modules`. */
const loadTypeormOnce = {
  name: 'load-typeorm-once',
  transform(code, id) {
    if (!id.endsWith('@nestjs/typeorm/dist/common/typeorm-compat.js')) return undefined;
    return code.replace('const require = createRequire(import.meta.url);', '');
  },
};

/** Escapes all other characters: V8 keeps a file with a character beyond Latin-1 in two bytes per character. */
const toAscii = (code) =>
  code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
