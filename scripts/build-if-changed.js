const { execSync } = require('node:child_process');
const { globSync, statSync } = require('node:fs');

/* Builds only if a source is newer than the last build; even a build without changes takes seconds. */

const STAMP = 'dist/.built';
const SOURCES = [
  'src/**/*.ts',
  'scripts/**/*.ts',
  'ormconfig.ts',
  'package.json',
  'tsconfig*.json',
  'nest-cli.json',
];

const changedAt = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

const builtAt = changedAt(STAMP);
if (SOURCES.some((pattern) => globSync(pattern).some((file) => changedAt(file) > builtAt))) {
  try {
    execSync('npm run -s build', { stdio: 'inherit' });
  } catch {
    // The compiler has printed the error.
    process.exit(1);
  }
}
