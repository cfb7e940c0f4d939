import { readFileSync } from 'node:fs';

/** A user of a seed file. */
export interface SeedUser {
  name: string;
  role: 'user' | 'admin';
  /** For the log-in with the user's key as account; without it the user has only the token of the state. */
  password?: string;
}

/** A request that creates data. In `path` and `body`, `$name` is the id of a user or of an earlier result. */
export interface SeedRequest {
  /** Key of the user who sends the request. */
  as: string;
  method: string;
  path: string;
  body?: unknown;
  /** Name of the result for later requests and for the state; its id is the field `id`, or the only `…_id`. */
  save?: string;
}

export interface Seed {
  users: ReadonlyMap<string, SeedUser>;
  requests: readonly SeedRequest[];
}

const NAME = /^[A-Za-z]\w*$/;

/**
 * Reads a seed file (docs/integration-tests.md).
 * @throws {Error} that names the file and the first invalid part
 */
export function readSeed(file: string): Seed {
  const fail = (reason: string): never => {
    throw new Error(`${file}: ${reason}`);
  };
  const content = parse(file, fail);
  const users = new Map<string, SeedUser>();
  for (const [key, user] of Object.entries(recordOf(content.users) ?? fail('"users" must be an object'))) {
    const { name = key, role = 'user', password } = recordOf(user) ?? fail(`users.${key} must be an object`);
    if (!NAME.test(key)) fail(`users.${key}: a key consists of letters, digits and _`);
    if (typeof name !== 'string') fail(`users.${key}.name must be a string`);
    if (role !== 'user' && role !== 'admin') fail(`users.${key}.role must be "user" or "admin"`);
    if (password !== undefined && typeof password !== 'string')
      fail(`users.${key}.password must be a string`);
    users.set(key, { name, role, password } as SeedUser);
  }
  if (users.size === 0) fail('"users" must not be empty');
  const { requests = [] } = content;
  if (!Array.isArray(requests)) return fail('"requests" must be an array');
  return { users, requests: requests.map((request, index) => requestOf(request, index, users, fail)) };
}

function requestOf(
  value: unknown,
  index: number,
  users: ReadonlyMap<string, SeedUser>,
  fail: (reason: string) => never,
): SeedRequest {
  const { as, send, body, save } = recordOf(value) ?? fail(`requests[${index}] must be an object`);
  const [, method, path] = /^(POST|PUT|DELETE) (\/api\/\S+)$/.exec(String(send)) ?? [];
  if (method === undefined || path === undefined)
    return fail(`requests[${index}].send must be like "POST /api/calls"`);
  if (typeof as !== 'string' || !users.has(as)) return fail(`requests[${index}].as must be a key of "users"`);
  if (save !== undefined && (typeof save !== 'string' || !NAME.test(save)))
    return fail(`requests[${index}].save must consist of letters, digits and _`);
  return { as, method, path, body, save };
}

function parse(file: string, fail: (reason: string) => never): Record<string, unknown> {
  try {
    return recordOf(JSON.parse(readFileSync(file, 'utf8'))) ?? fail('must contain a JSON object');
  } catch (error) {
    if (error instanceof SyntaxError) return fail(error.message);
    throw error;
  }
}

const recordOf = (value: unknown): Record<string, unknown> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;

/**
 * Replaces references in a path or body. A string that is only a reference becomes the id itself.
 * @throws {Error} for an unknown name
 */
export function resolveReferences(value: unknown, ids: ReadonlyMap<string, number>): unknown {
  const idOf = (name: string): number => {
    const id = ids.get(name);
    if (id === undefined) throw new Error(`$${name} is unknown`);
    return id;
  };
  if (Array.isArray(value)) return value.map((item) => resolveReferences(item, ids));
  const fields = recordOf(value);
  if (fields !== undefined)
    return Object.fromEntries(
      Object.entries(fields).map(([key, item]) => [key, resolveReferences(item, ids)]),
    );
  if (typeof value !== 'string') return value;
  const [, only] = /^\$([A-Za-z]\w*)$/.exec(value) ?? [];
  if (only !== undefined) return idOf(only);
  return value.replace(/(?<=\/)\$([A-Za-z]\w*)/g, (_, name: string) => String(idOf(name)));
}
