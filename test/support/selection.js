const { globSync } = require('node:fs');
const { join } = require('node:path');
const { findChromium, findTurnServer } = require('./browser-available.js');
const { findProgram, mysqlIsAvailable } = require('./mysql-available.js');

/*
 * Determines which test files run where (docs/testing.md): the jest projects, the tiers, and the suites.
 *
 * TEST_TIER  quick  files of `npm test`
 *            rest   files that only `npm run test:full` runs
 *            full   both
 *            unset  every file by itself, for a run that names its files
 * TEST_PART=2/4 selects a quarter of `rest` or `full`.
 */

const ROOT = join(__dirname, '../..');

const ON_DATABASES = ['test/e2e/*.e2e-spec.ts', 'test/database/*.spec.ts', 'test/faults/*.spec.ts'];

/** Glob patterns of the files of each jest project. */
const PROJECTS = {
  unit: ['{src,bench}/**/*.spec.ts', '{test/contract,test/fuzz,web/test/unit}/*.spec.ts'],
  client: ['packages/client/test/*.spec.ts'],
  sqlite: [...ON_DATABASES, 'test/{database,faults}/*.sqlite-spec.ts'],
  mysql: [...ON_DATABASES, 'test/{database,faults}/*.mysql-spec.ts'],
  browser: ['{test,packages/client/test}/browser/*.spec.ts'],
};

/** Files that start or kill processes, generate and compile code, or repeat an action very often. */
const SLOW = [
  /^test\/faults\//,
  /^test\/database\/(backups|bench|from-|lock-timeouts|hostile-server|.*-growth)/,
  // Migrations of released versions: neither they nor the rows before them change any more.
  /^test\/database\/(announcements|replies-and-mentions|call-signals|event-payloads|response-fields|name-parts|peers-of-|users-of-)/,
  /\/calls-signals-races\.e2e-spec/,
  /^test\/contract\/(build|openapi-clients)/,
  /^packages\/client\/test\/package\./,
  /browser\//,
  /-(crash|outgrowing|processes|processes-live)\.e2e-spec/,
  /\/(admin-create|body-shapes|bundle|documents|fuzz|log-secrecy|pressure|processes|restore|scripts)\.e2e-spec/,
];

/** Tests of races for rows. SQLite, with one connection, has few of them, so `npm test` runs these on MySQL only. */
const RACES = /-(instances|locks|races)\.e2e-spec/;

/** End-to-end files whose result depends most on SQL: locks, transactions, order, search, pages of large lists. */
const SQL_MATTERS = [
  RACES,
  /-(model|consistency|consistency-conversations)\.e2e-spec/,
  /-(export|lists?|search|pages|positions)\.e2e-spec/,
  /\/(calls-transitions|device-groups-(moves|tree)|devices-upserts|events-(log|poll)|identity-upserts)\./,
  /\/(messaging-(clearing|history|messages-unread|sends-batched)|notifications-marks|outbox-events|people-directory)\./,
];

/** End-to-end files and fault tests that do not depend on the database; they run on SQLite only. */
const NO_SQL =
  /\/(authorisation-table|body-shapes|bundle|client-config|conventions|conventions-connection|descriptors|docs|documented-routes|documents|fuzz|ingress|languages|log-unwritable|metrics|pages|pages-headers|pages-none|pressure|rate-limits|redis-(cluster|sentinel|unavailable)|scripts|sdk-recipes|seeded-service|slow-bodies|system)\./;

/** Files that start a Redis server. */
const NEEDS_REDIS =
  /\/(calls-signals-processes|events-(outgrowing|processes|processes-live)|keys-instances|log-secrecy|metrics|presence-instances|rate-limits|redis-(cluster|sentinel|subscription|unavailable)|two-instances|workers)\./;

const matches = (file, patterns) => patterns.some((pattern) => pattern.test(file));

/** Whether `npm test` runs the file in the project. */
function isQuick(project, file) {
  if (matches(file, SLOW)) return false;
  if (project === 'sqlite') return !RACES.test(file);
  return project !== 'mysql' || !file.startsWith('test/e2e/') || matches(file, SQL_MATTERS);
}

/** Returns the missing programs: the tests that are skipped without them, and the package to install. */
function missingPrograms() {
  return [
    { isMissing: !mysqlIsAvailable(), what: 'tests on MySQL', how: 'mariadb-server, or set TEST_MYSQL_URL' },
    {
      isMissing: !findChromium(),
      what: 'page journeys and calls in browsers',
      how: 'chromium-headless-shell',
    },
    { isMissing: !findTurnServer(), what: 'calls in browsers', how: 'coturn' },
    { isMissing: !findProgram('python3'), what: 'the Python program of docs/sdks.md', how: 'python3' },
    { isMissing: !findProgram('redis-server'), what: 'tests with Redis', how: 'redis-server' },
  ].filter(({ isMissing }) => isMissing);
}

function isRunnable(project, file) {
  if (project === 'mysql' && !mysqlIsAvailable()) return false;
  if (project === 'browser' && !(findChromium() && findTurnServer())) return false;
  if (file.includes('/sdk-recipes.') && !findProgram('python3')) return false;
  return !NEEDS_REDIS.test(file) || findProgram('redis-server') !== undefined;
}

/**
 * Returns every `{ project, file }` that the tier and the part select and this machine can run; files relative to the
 * root.
 */
function selectedFiles({ tier, part, touched = [] }) {
  const all = Object.entries(PROJECTS).flatMap(([project, patterns]) =>
    globSync(patterns, { cwd: ROOT })
      .filter((file) => project !== 'mysql' || !NO_SQL.test(file))
      .toSorted()
      .map((file) => ({ project, file })),
  );
  return ofTier(all, { tier, part, touched }, ({ project, file }) => isQuick(project, file)).filter(
    ({ project, file }) => isRunnable(project, file),
  );
}

/**
 * Selects from a sorted list by tier. A part `{ index, count }` is every count-th item, so that each part contains files
 * of every area. Items whose file matches one of `touched` take the places of others in the part, which keeps its size.
 */
function ofTier(items, { tier, part, touched = [] }, isInQuick) {
  if (tier === 'quick') return items.filter(isInQuick);
  const candidates = items.filter((item) => tier !== 'rest' || !isInQuick(item));
  if (part === undefined) return candidates;
  const ofPart = candidates.filter((_, index) => index % part.count === part.index - 1);
  const first = candidates.filter(({ file }) => matches(file, touched)).slice(0, ofPart.length);
  const others = ofPart.filter((item) => !first.includes(item));
  return [...first, ...evenly(others, ofPart.length - first.length)];
}

/** Returns that many items of a list, at equal distances. */
const evenly = (items, count) =>
  Array.from({ length: count }, (_, index) => items[Math.floor((index * items.length) / count)]);

/*
 * Suites: evaluating the framework and the service takes as long as a whole file of tests, and jest does it for every
 * file. The files of an area that use the service in their own process therefore run as one jest file,
 * `test/suites/<area>.suite.ts`.
 */

/** Area of each file, by its path; the first match applies. Undefined: the file runs alone. */
const AREAS = [
  // Files that measure processor time, which other files would increase by their heap, or that start a server of their
  // own.
  [undefined, /(body-shapes|pressure|hostile-server)\./],
  ['database', /^test\/database\//],
  ['calls', /e2e\/(calls|media-webhooks)-/],
  ['device-groups', /e2e\/device/],
  ['identity', /e2e\/(auth\.|identity)/],
  ['messaging', /e2e\/messaging-/],
  ['notifications', /e2e\/notifications-/],
  ['openapi', /contract\/(openapi(-(descriptions|examples|rules|status))?|compiled-dtos|dashboard)\./],
  ['platform', /e2e\/(audit|events|integration|keys|people|presence|statistics|typing|webhooks)-/],
  ['processes', /e2e\/(admin-create|documents|fuzz|log-secrecy|processes|restore|scripts)\./],
  ['service', /e2e\//],
  // Files that replace modules, and files that compile for a minute.
  [undefined, /\/(broadcast-notifier|password-attempts|passwords|workers-config|build|openapi-clients)\./],
  ['units', /^(src|bench)\//],
  ['contract', /^test\/contract\//],
];

/** Returns the path of the suite that a file runs in; undefined if it runs alone. */
function suiteOf(file) {
  const area = AREAS.find(([, pattern]) => pattern.test(file))?.[0];
  return area && `test/suites/${area}.suite.ts`;
}

/**
 * The tests that belong to a part of the repository. `--part commit` runs them first if the commit changes it.
 */
const AREAS_BY_PATH = [
  { name: 'calls', paths: /^src\/calls\//, tests: /\/(calls|media-webhooks)-/ },
  { name: 'device groups', paths: /^src\/device-groups\//, tests: /\/(device|presence-killed)/ },
  {
    name: 'notifications',
    paths: /^src\/notifications\//,
    tests: /\/(notifications-|announcements|recall-)/,
  },
  { name: 'messaging', paths: /^src\/messaging\//, tests: /\/(messaging-|mentions-|message-)/ },
  { name: 'events', paths: /^src\/events\//, tests: /\/event/ },
  { name: 'attachments', paths: /^src\/attachments\//, tests: /\/(attachments|uploads)-/ },
  { name: 'push and preferences', paths: /^src\/(push|preferences)\//, tests: /\/(push|preferences)[-.]/ },
  { name: 'outbox and webhooks', paths: /^src\/(outbox|webhooks|outbound)\//, tests: /\/(outbox|webhooks)-/ },
  { name: 'identity', paths: /^src\/(identity|keys|people)\//, tests: /\/(auth|identity|keys|people|users)/ },
  { name: 'statistics and audit', paths: /^src\/(statistics|audit)\//, tests: /\/(statistics|audit)-/ },
  { name: 'database', paths: /^(src\/database|ormconfig)/, tests: /^test\/database\/(?!bench)/ },
  {
    name: 'the server',
    paths: /^src\/(common|config|redis|[^/]+\.ts$)/,
    tests: /\/(body-shapes|pressure|descriptors|overload|sigterm|slow-bodies)\./,
  },
  { name: 'the client package', paths: /^packages\/client\//, tests: /^packages\/client\// },
  {
    name: 'documents and scripts',
    paths: /^(docs|scripts|[A-Z]+\.md)/,
    tests: /\/(documents|scripts|admin-create)\./,
  },
];

module.exports = { ROOT, PROJECTS, AREAS_BY_PATH, selectedFiles, ofTier, suiteOf, missingPrograms };
