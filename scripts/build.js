const { execSync } = require('node:child_process');
const { mkdirSync, utimesSync, writeFileSync } = require('node:fs');

/* npm run build: compiles, and notes since when what it has compiled is up to date (build-if-changed.js asks). */

const STAMP = 'dist/.built';

const startedAt = new Date();
try {
  execSync('nest build', { stdio: 'inherit' });
} catch {
  // The compiler has said why.
  process.exit(1);
}
mkdirSync('dist', { recursive: true });
writeFileSync(STAMP, '');
// What is changed while the compiler reads is newer.
utimesSync(STAMP, startedAt, startedAt);
