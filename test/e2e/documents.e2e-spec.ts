import { globSync } from 'node:fs';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { testEnvironment } from '../support/environment';
import { ServiceProcess } from '../support/service-process';
import { type ShellBlock, shellBlocks } from '../support/shell-blocks';
import { paste, type PastedRequest } from '../support/shell-reader';

/** Blocks that another test runs, by a part of their text. */
const TESTED_ELSEWHERE: Record<string, string> = {
  'npm ci && npm start': '.ci/run, word for word',
  'asks for the password': 'admin-create.e2e-spec.ts',
  'JWT_JWKS_URL=https://sso.example': 'identity-providers.e2e-spec.ts, with the tokens of each provider',
  'DATABASE_URL=sqlite:./other.sqlite': 'configuration.spec.ts: every variable, and what production asks for',
  'OUTBOUND_ALLOWED_NETWORKS=127.0.0.1/32 npm start':
    'integration.e2e-spec.ts, with the receiver of that document',
  '/admin/webhooks': 'the same',
  'npm run start:dev': 'for maintainers; documents.spec.ts: the scripts exist and take the options',
  'npm run start:web': 'the same',
  'npm run test:web': 'scripts/test.mjs runs it',
  'npm test': 'it would run all tests from within a test',
  'npm run bench': 'bench.spec.ts and documents.spec.ts',
  'npm run fuzz': 'fuzz.e2e-spec.ts and documents.spec.ts',
  'npm run load': 'documents.spec.ts: the script exists and takes the options',
  '--selectProjects browser': 'test/browser itself',
  '--selectProjects client': 'packages/client/test itself',
  'npm outdated': 'asks the registry',
  'npx callboard demo --seed': 'seeded-service.e2e-spec.ts',
  '/docs-json > callboard.json': 'openapi-clients.spec.ts generates from the same document',
  'crypto.createECDH': 'prints a random key',
  'kubectl create secret': 'needs a cluster; helm-chart.spec.ts checks the chart',
  'docker compose up': 'needs a container engine; deployment.spec.ts checks compose.yaml',
  'turnserver -c': 'test/support/turn-server.ts starts it so',
  'mariadb-dump': 'backups.spec.ts',
  'sqlite3 data': 'backups.spec.ts',
};

/** Requests whose response has no data. */
const WITHOUT_DATA = [
  /-X DELETE .*\/((auth|users\/\d+)\/sessions|devices|keys\/\d+|device-groups\/\d+|conversations\/\d+|members\/\d+|messages\/\d+)\b/,
  /-X POST .*\/conversations\/\d+\/clear\b/,
  /\/users\/\d+\/block\b/,
  /\/typing\b/,
  /\/devices\/heartbeat\b/,
  /\/auth\/(logout|password)\b/,
  /\/users\/\d+\/password\b/,
  /\/device-groups\/\d+\/devices -d/,
];

/** Returns the problem of a response that should have data; undefined if there is none. */
function problemOf({ command, status, body }: PastedRequest): string | undefined {
  const say = (what: string): string => `${what}\n  ${command}\n  ${status} ${body.slice(0, 300)}`;
  if (status !== '200') return say('not a 200');
  if (/\/api\/(events|presence\/stream\S*)$/.test(command))
    return body.startsWith(': callboard') ? undefined : say('no stream');
  if (/\/export\b/.test(command)) return /^\w*id,/.test(body) ? undefined : say('no CSV');
  const { code, data } = JSON.parse(body) as { code: number; data: unknown };
  if (code !== 0) return say('not a success');
  if (WITHOUT_DATA.some((pattern) => pattern.test(command)))
    return data === null || 'affected' in (data as object) ? undefined : say('more than was promised');
  return isEmpty(data) ? say('nothing in it') : undefined;
}

function isEmpty(data: unknown): boolean {
  if (data === null) return true;
  if (Array.isArray(data)) return data.length === 0;
  const { items, list, count } = data as { items?: unknown[]; list?: unknown[]; count?: number };
  return (items ?? list)?.length === 0 || count === 0;
}

const isPasted = ({ code }: ShellBlock): boolean =>
  !Object.keys(TESTED_ELSEWHERE).some((part) => code.includes(part));

/** Expected parts of the responses in the README. */
const OF_README = [
  {
    items: [
      { name: '阳光花园邻居群', pinned: true },
      { name: '鲍勃' },
      { name: '东门门口机' },
      { name: '陈静' },
    ],
  },
  { items: [{ is_self: false }, { is_self: false }, { is_self: false }], pagination: { total: 307 } },
  { content: 'hello', sender_name: '鲍勃' },
  { pagination: { total: 3 } },
  { status: 'ringing' },
  { status: 'ringing', direction: 'incoming', caller: { id: 2 } },
  { total: 18 },
  { items: [{}, {}, {}] },
  [{ name: '阳光花园' }, { name: '科技园写字楼' }, { name: 'Harbour Court' }],
];

describe('The shell blocks of the documents', () => {
  const blocks = globSync(['*.md', 'docs/*.md']).toSorted().flatMap(shellBlocks);
  const pasted = Map.groupBy(blocks.filter(isPasted), ({ file }) => file);

  let database: TestDatabase;
  let service: ServiceProcess;
  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(async () => {
    await service?.stop();
    await database.drop();
  });

  it('are all run here or in another test', () => {
    expect([...pasted.keys()]).toEqual([
      'README.md',
      'docs/administration.md',
      'docs/api-keys.md',
      'docs/attachments.md',
      'docs/device-groups.md',
      'docs/events.md',
      'docs/identity.md',
      'docs/messaging.md',
      'docs/notifications.md',
      'docs/people.md',
      'docs/search.md',
    ]);
    const unused = Object.keys(TESTED_ELSEWHERE).filter(
      (part) => !blocks.some(({ code }) => code.includes(part)),
    );
    expect(unused).toEqual([]);
  });

  it.each([...pasted])('succeed with data in %s', async (file, parts) => {
    const env = { NODE_ENV: 'development', DEMO_DATA: 'on', MEDIA_PROVIDER: 'webrtc' };
    service = await ServiceProcess.start(database.url, env);
    const commands = parts.map(({ code }) => code).join('\n');
    const requests = await paste(commands, new URL(service.url).host, testEnvironment(database.url, env));
    expect(requests.length).toBeGreaterThan(1);
    expect(requests.map(problemOf).filter((complaint) => complaint !== undefined)).toEqual([]);
    // Every line that begins with curl was sent; functions send more.
    const lines = commands.match(/^(?:\w+=\$\()?curl /gm) ?? [];
    expect(requests.length).toBeGreaterThanOrEqual(lines.length);
    if (file === 'README.md') {
      const data = requests.map(({ body }) => (JSON.parse(body) as { data: unknown }).data);
      expect(data).toMatchObject(OF_README);
    }
  });
});
