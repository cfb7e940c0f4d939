const { globSync } = require('node:fs');
const { basename, dirname, join, relative, sep } = require('node:path');

/*
 * Evaluating the framework and the service costs as much as a whole file of tests does, and jest does it anew for each
 * file. So the end-to-end files of a subject run as one: test/e2e/suites has a file for each, in which jest sees them
 * all. A file that is asked for by its name still runs alone.
 */

const ROOT = join(__dirname, '../..');

/** The suite of each end-to-end file, by the beginning of its name; the first that fits counts. */
const SUITES = [
  // They measure processor time, which the heap of others would add to.
  [undefined, /^(body-shapes|pressure)\./],
  ['audit', /^audit-/],
  ['calls', /^(calls|media-webhooks)-/],
  ['device-groups', /^device/],
  ['events', /^events-/],
  ['identity', /^(auth\.|identity)/],
  ['keys', /^keys-/],
  ['messaging-races', /^messaging-.*(crash|instances|locks|model|races|sends)/],
  ['messaging', /^messaging-/],
  ['notifications', /^notifications-/],
  ['people', /^(people|presence|typing)-/],
  ['webhooks', /^(integration|webhooks-)/],
  ['processes', /^(admin-create|documents|fuzz|log-secrecy|processes|restore|scripts)\./],
  ['service', /./],
];

/** The file that runs an end-to-end file among others; undefined of what runs alone. */
function suiteOf(file) {
  if (!file.endsWith('.e2e-spec.ts')) return undefined;
  const [name] = SUITES.find(([, pattern]) => pattern.test(basename(file)));
  return name && join(dirname(file), 'suites', `${name}.suite.ts`);
}

/** The end-to-end files of a suite, as `require` takes them. `leftOut`: patterns of files that shall not run. */
const filesOf = (suite, leftOut = []) =>
  globSync('test/e2e/*.e2e-spec.ts', { cwd: ROOT })
    .map((file) => join(ROOT, file))
    .filter((file) => suiteOf(file) === suite && !leftOut.some((pattern) => new RegExp(pattern).test(file)))
    .toSorted();

module.exports = { filesOf, suiteOf, nameOf: (file) => relative(ROOT, file).split(sep).join('/') };
