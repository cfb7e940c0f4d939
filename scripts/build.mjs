import { spawn } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/*
 * npm run build: compiles and bundles the service and, in parallel, builds the web app; each only if one of its sources
 * was changed, added or removed. The stamp of each names its sources and has the start time of its build.
 */

const PAGES = 'dist/web';
const SERVICE = {
  stamp: 'dist/.built',
  result: 'dist/src/main.js',
  sources: [
    '{src,bench,scripts,test/fuzz}/**/*.{ts,mjs}',
    '{nest-cli,package,package-lock,tsconfig,tsconfig.build}.json',
    'ormconfig.ts',
    'test/support/*.d.ts',
  ],
  // Loaded only when needed, like vite: both are slow to load.
  build: () => compileService().then(async () => (await import('./bundle.mjs')).bundleService()),
};
const WEB_APP = {
  stamp: 'dist/.built-pages',
  result: `${PAGES}/index.html`,
  sources: [
    'web/*.{html,json,ts}',
    'web/{admin,public,src,worker}/**/*',
    'packages/*/src/**/*',
    'package-lock.json',
    'scripts/build.mjs',
  ],
  build: buildPages,
};

mkdirSync('dist', { recursive: true });
const startedAt = presentMoment();
const parts = await Promise.allSettled(
  [SERVICE, ...(existsSync('web') ? [WEB_APP] : [])].map(buildIfChanged),
);
for (const { reason } of parts) if (reason instanceof Error) console.error(reason.message);
process.exitCode = parts.every(({ status }) => status === 'fulfilled') ? 0 : 1;

async function buildIfChanged({ stamp, result, sources, build }) {
  const files = sources.flatMap((pattern) => globSync(pattern)).toSorted();
  const builtAt = existsSync(result) ? changedAt(stamp) : 0;
  const names = files.join('\n');
  const isCurrent =
    files.every((file) => changedAt(file) <= builtAt) && readFileSync(stamp, 'utf8') === names;
  if (isCurrent) return;
  await build();
  // A source that changed during the build is newer than its start.
  writeFileSync(stamp, names);
  utimesSync(stamp, startedAt, startedAt);
}

function compileService() {
  const compiler = spawn('nest', ['build'], { stdio: 'inherit', shell: process.platform === 'win32' });
  return new Promise((resolve, reject) => {
    compiler.once('error', reject);
    // The compiler has printed the error.
    compiler.once('exit', (code) => (code === 0 ? resolve() : reject()));
  });
}

async function buildPages() {
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
