import { spawn } from 'node:child_process';
import { existsSync, globSync, mkdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { bundleService } from './bundle.mjs';

/*
 * npm run build: compiles and bundles the service and, in parallel, builds the web app if one of its sources has
 * changed. It writes a stamp file with the start time of the build, which build-if-changed.js compares with the sources.
 */

const PAGES = 'dist/web';
const PAGE_SOURCES = [
  'web/*.{html,json,ts}',
  'web/{admin,public,src,worker}/**/*',
  'packages/*/src/**/*',
  'package-lock.json',
  'scripts/build.mjs',
];
const STAMPS = { service: 'dist/.built', pages: 'dist/.built-pages' };

mkdirSync('dist', { recursive: true });
const startedAt = presentMoment();
const parts = await Promise.allSettled([
  compileService()
    .then(bundleService)
    .then(() => note(STAMPS.service)),
  buildPages().then(() => note(STAMPS.pages)),
]);
for (const { reason } of parts) if (reason instanceof Error) console.error(reason.message);
process.exitCode = parts.every(({ status }) => status === 'fulfilled') ? 0 : 1;

function compileService() {
  const compiler = spawn('nest', ['build'], { stdio: 'inherit', shell: process.platform === 'win32' });
  return new Promise((resolve, reject) => {
    compiler.once('error', reject);
    // The compiler has printed the error.
    compiler.once('exit', (code) => (code === 0 ? resolve() : reject()));
  });
}

async function buildPages() {
  const builtAt = existsSync(`${PAGES}/index.html`) ? changedAt(STAMPS.pages) : 0;
  const sources = PAGE_SOURCES.flatMap((pattern) => globSync(pattern));
  if (!existsSync('web') || !sources.some((file) => changedAt(file) > builtAt)) return;
  // Loaded only when needed: vite is slow to load.
  const { build } = await import('vite');
  await build({ root: 'web', logLevel: 'warn' });
  await build({ root: 'web', logLevel: 'warn', configFile: 'web/vite.worker.config.ts' });
  await Promise.all(globSync(`${PAGES}/**/*.{html,js,css,json,svg,webmanifest}`).map(compress));
}

/**
 * Writes compressed variants (Brotli, gzip) at the highest level, so that the service does not compress per request.
 */
async function compress(file) {
  const bytes = await readFile(file);
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  const twins = {
    br: promisify(brotliCompress)(bytes, { params }),
    gz: promisify(gzip)(bytes, { level: 9 }),
  };
  for (const [extension, twin] of Object.entries(twins))
    if ((await twin).length < bytes.length) await writeFile(`${file}.${extension}`, await twin);
}

function changedAt(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/**
 * Returns a time just before now, in seconds, from the file system's clock: it ticks every few milliseconds and lags
 * behind the system clock.
 */
function presentMoment() {
  writeFileSync('dist/.begun', '');
  return (Math.floor(statSync('dist/.begun').mtimeMs) - 1) / 1000;
}

/** Sets the stamp to the start of the build: a source changed during compilation is then newer. */
function note(stamp) {
  writeFileSync(stamp, '');
  utimesSync(stamp, startedAt, startedAt);
}
