import { SCOPES } from '../../src/common/auth/api-keys/scopes';
import type { ReceivedResponse, Exchange } from './exchange';
import { parsed } from './response-validator';
import type { Plan } from './plan';
import type { Request } from './request';
import { type Person, KnownObjects } from './known-objects';

const PEOPLE = 30;
const PASSWORD = 'correct horse';
const NAMES = ['Alice', 'Боб', '王小明', 'عمر', 'Zoë 🦊', `O'Neil; --`];

/** Signs an access token for the service under test. */
export type Sign = (claims: { sub: string; role: 'user' | 'admin' }) => Promise<string>;

const dataOf = ({ text }: ReceivedResponse): Record<string, unknown> =>
  ((parsed(text) ?? {}) as { data?: Record<string, unknown> }).data ?? {};

/** Creates users with accounts and tokens, two administrators without calls and conversations, and an API key. */
export async function populate(exchange: Exchange, sign: Sign): Promise<KnownObjects> {
  const admins: [string, string] = [
    await sign({ sub: '1', role: 'admin' }),
    await sign({ sub: '2', role: 'admin' }),
  ];
  const people: Person[] = [];
  for (let index = 0; index < PEOPLE; index += 1) {
    const account = `person-${index}`;
    const body = { account, password: PASSWORD, name: NAMES[index % NAMES.length] };
    const response = await exchange.send(asAdmin(admins[0], 'POST', '/api/admin/users', body));
    const id = Number(dataOf(response).id);
    people.push({ id, account, password: PASSWORD, token: await sign({ sub: String(id), role: 'user' }) });
  }
  return new KnownObjects(people, admins, [await keyWithAllScopes(exchange, admins[0])]);
}

async function keyWithAllScopes(exchange: Exchange, admin: string): Promise<string> {
  const body = { name: 'Back end', scopes: SCOPES, rate_per_minute: 100_000 };
  return String(dataOf(await exchange.send(asAdmin(admin, 'POST', '/api/admin/keys', body))).key);
}

const asAdmin = (token: string, method: string, target: string, body: object): Request => ({
  method,
  target,
  headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
  body: Buffer.from(JSON.stringify(body)),
  named: [],
});

/** Records the effects of a request: new and deleted objects, passwords, accounts. Enables disabled users again. */
export async function recordResponse(
  objects: KnownObjects,
  exchange: Exchange,
  { operation }: Plan,
  request: Request,
  response: ReceivedResponse,
): Promise<void> {
  const { name, path, method } = operation;
  // An earlier request revoked the key.
  const [key = '', admin = ''] = [objects.keys[0], objects.admins[0]];
  if (response.status === 401 && request.headers.Authorization === `Bearer ${key}`)
    objects.keys[0] = await keyWithAllScopes(exchange, admin);
  // An earlier request deleted the object.
  if (method === 'DELETE' && response.status === 404) objects.forget(path, request.target);
  if (response.status !== 200 || !response.headers['content-type']?.includes('json')) return;
  const data = dataOf(response);
  const sent = (parsed(request.body?.toString() ?? '') ?? {}) as Record<string, string>;
  const sender = request.sender && !path.startsWith('/api/admin/') ? [request.sender.id] : [];
  if (name === 'DELETE /api/admin/devices') objects.forgetAll('device', sent.device_ids);
  if (name === 'DELETE /api/admin/users/{id}/sessions')
    objects.forgetOf('session', Number(request.target.split('/')[4]));
  if (name === 'DELETE /api/auth/sessions' && request.sender) objects.forgetOf('session', request.sender.id);
  // The list contains the fuzzer's own keys, which requests must not change.
  if (name === 'GET /api/admin/keys') return;
  if (method === 'DELETE') objects.forget(path, request.target);
  else objects.record(path, data, [...sender, ...request.named]);
  if (typeof response.headers.etag === 'string') objects.keep('etag', response.headers.etag, []);

  if (name === 'POST /api/attachments' && data.type === 'image')
    objects.keep('picture', Number(data.id), sender);
  if (name === 'POST /api/admin/keys') objects.keepKey(String(data.key));
  if (name === 'PUT /api/auth/password' && request.sender) request.sender.password = sent.new_password ?? '';
  if (name === 'PUT /api/admin/users/bulk' && Number(sent.status) === 0)
    for (const token of objects.admins)
      await exchange.send(asAdmin(token, 'PUT', path, { user_ids: sent.user_ids, status: 1 }));
  if (name === 'POST /api/admin/users/bulk') await recordBulk(objects, exchange, sent.users, data.items);
  if (!name.startsWith('PUT /api/admin/users/{id}')) return;
  const id = Number(request.target.split(/[/?]/)[4]);
  // Enables the disabled user again. Both administrators try, because the disabled user may be one of them.
  for (const token of data.status === 0 ? objects.admins : []) {
    await exchange.send(asAdmin(token, 'PUT', `/api/admin/users/${id}`, { status: 1 }));
  }
  const person = objects.people.find((one) => one.id === id);
  if (person === undefined) return;
  if (path.endsWith('/password')) person.password = sent.password ?? '';
  if (typeof data.account === 'string') person.account = data.account;
}

/** Enables the users again that a bulk request disabled, and records their new accounts. */
async function recordBulk(
  objects: KnownObjects,
  exchange: Exchange,
  users: unknown,
  items: unknown,
): Promise<void> {
  const updated = (items as { index: number; id: number; result: string }[]).filter(
    ({ result }) => result === 'updated',
  );
  const requested = users as { account?: unknown; status?: unknown }[];
  const disabled = updated.filter(({ index }) => requested[index]?.status === 0).map(({ id }) => id);
  for (const token of disabled.length === 0 ? [] : objects.admins) {
    const body = { user_ids: disabled, status: 1 };
    await exchange.send(asAdmin(token, 'PUT', '/api/admin/users/bulk', body));
  }
  for (const { index, id } of updated) {
    const person = objects.people.find((one) => one.id === id);
    const account = requested[index]?.account;
    if (person !== undefined && typeof account === 'string') person.account = account;
  }
}
