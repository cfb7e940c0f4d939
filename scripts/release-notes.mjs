// Prints a version's section of CHANGELOG.md. Fails unless the changelog and both packages have this version.
// node scripts/release-notes.mjs 0.3.0
import { readFileSync } from 'node:fs';

const version = process.argv[2] ?? '';
const read = (file) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');

for (const file of ['package.json', 'packages/client/package.json']) {
  const actual = JSON.parse(read(file)).version;
  if (actual !== version) fail(`${file} has the version ${actual}, not ${version}`);
}
const sections = read('CHANGELOG.md').split(/^## /m);
const section = sections.find((text) => text.startsWith(`[${version}]`));
if (section === undefined) fail(`CHANGELOG.md has no section [${version}]`);
process.stdout.write(`${section.slice(section.indexOf('\n')).trim()}\n`);

/** @param {string} reason */
function fail(reason) {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}
