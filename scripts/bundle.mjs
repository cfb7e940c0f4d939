import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'rolldown';

/*
 * Bundles the compiled service with its packages into a few files. Without it, a start resolves, reads and compiles
 * 2,300 files, which is a third of its processor time (docs/adr/0054).
 */

const ENTRY = 'dist/src/main.js';
/** One folder below `dist`, like the entry: the path of the web app is relative to the file. */
const FOLDER = 'dist/bundle';
/**
 * Maximum size of a file of packages in bytes. V8 allocates memory in proportion to a file to parse it, and the process
 * keeps it: 40 MiB for all packages in one file. The service itself, 2 MB, is one file: parts of it would import
 * each other in cycles.
 */
const MAX_PACKAGES_BYTES = 400_000;
/** Packages with native code, and those that few configurations load. They are loaded from `node_modules`. */
const EXTERNAL = [
  /^better-sqlite3/,
  /^@node-rs\/argon2/,
  /^agora-token/,
  /^livekit-server-sdk/,
  /^pino-pretty/,
  /^@aws-sdk/,
  /^sharp/,
  /^file-type/,
  /^@tus/,
];

/** Writes `dist/bundle`. Not minified, so that stack traces remain readable: the start is equally fast. */
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
    output: {
      format: 'cjs',
      keepNames: true,
      comments: false,
      chunkFileNames: '[name].js',
      codeSplitting: {
        groups: [
          { name: 'packages', test: /node_modules/, maxSize: MAX_PACKAGES_BYTES },
          { name: 'service', test: /dist[\\/]src/ },
        ],
      },
    },
  });
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  for (const { fileName, code } of output) await writeFile(join(FOLDER, fileName), toAscii(code));
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
