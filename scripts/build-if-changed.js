const { execSync } = require('node:child_process');
const { globSync, statSync } = require('node:fs');

/* Builds when something has changed since the last time: a build that finds nothing to do takes seconds, too. */

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
    // The compiler has said why.
    process.exit(1);
  }
}
