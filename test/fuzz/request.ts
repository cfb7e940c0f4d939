import { createHmac } from 'node:crypto';
import type { Operation } from './document';
import { FIXED_QUERIES, isSigned, kindOfField, type Kind } from './names';
import type { Plan } from './plan';
import { type Person, Reference, type KnownObjects } from './known-objects';

/** Maximum lengths of a header or parameter, and of a path segment. Longer ones exceed the server's limit for headers. */
const MAX_PART = 400;
const MAX_SEGMENT = 150;
const FORGED = [
  'Bearer',
  'Bearer x',
  'Basic YTpi',
  'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIiwicm9sZSI6ImFkbWluIiwiZXhwIjo0MTAyNDQ0ODAwfQ.',
  'Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
  `Bearer ${'a'.repeat(3_000)}`,
  `Bearer cbk_abcdefgh_${'a'.repeat(43)}`,
  'Bearer cbk_',
];
/** Probability of related objects. */
const RELATED_SHARE = 0.7;
const SIGNED = '/api/media/webhooks/';
/** Only the callee, the last of a call's related users, may do this. */
const ANSWERED = /\/(accept|reject)$/;
/** The requests would delete more of these than they create, so some are never deleted. */
const MADE = new Set<Kind>(['group', 'key', 'webhook']);
/** Probability that a request with an API key uses the one with all scopes. */
const ALL_SCOPES = 0.7;
const ON_BEHALF_OF = 'X-On-Behalf-Of';

/** A request, ready to be sent. */
export interface Request {
  method: string;
  /** Path and query. */
  target: string;
  headers: Record<string, string>;
  body?: Buffer;
  /** The sender, if it is a user. */
  sender?: Person;
  /** Ids of the users in its body. */
  named: number[];
}

/** Completes a plan with known objects. */
export function requestOf(plan: Plan, objects: KnownObjects, webhookSecret: string): Request {
  const { operation, pick, rawBody } = plan;
  const first = Object.values(plan.path).find((value) => value instanceof Reference);
  const known = first && objects.find(first.kind, first.pick);
  const allowed = ANSWERED.test(operation.path)
    ? objects.lastRelatedUser(known)
    : objects.relatedUser(known, pick);
  const sender = ((plan.caller === 'allowed' || plan.caller === 'key') && allowed) || objects.person(pick);
  const fill = (value: unknown): unknown => filled(value, objects, sender);

  /** A user in a path is mostly related to the object before it, such as a member of the conversation. */
  const fillNeighbour = (value: unknown): unknown =>
    value instanceof Reference && value !== first && value.kind === 'user' && value.pick < RELATED_SHARE
      ? objects.relatedUser(known, value.pick / RELATED_SHARE).id
      : fill(value);
  /** So is the one user in a body. */
  const fillBody = ({ user_id, ...others }: Record<string, unknown>): Record<string, unknown> => ({
    ...(user_id !== undefined && { user_id: fillNeighbour(user_id) }),
    ...(fill(others) as Record<string, unknown>),
  });

  const signedUrl =
    known !== undefined && isSigned(operation.path) ? new URL(String(known.value)) : undefined;
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = plan.path[name];
    if (value === first && signedUrl !== undefined) return asSegment(signedUrl.pathname.split('/').at(-1));
    const isDeleted = plan.method === 'DELETE' && operation.path.endsWith(placeholder);
    if (isDeleted && value instanceof Reference && MADE.has(value.kind))
      return asSegment(objects.findSpare(value.kind, value.pick) ?? 1);
    return asSegment(fillNeighbour(value));
  });
  const signature = Object.fromEntries(signedUrl?.searchParams ?? []);
  const query = Object.entries({
    ...signature,
    ...plan.query,
    ...FIXED_QUERIES[plan.operation.path],
  }).flatMap(([name, value]) => asQuery(name, fill(value)));
  const body = plan.body && fillBody(plan.body);
  const bytes = rawBody?.bytes ?? (body && Buffer.from(JSON.stringify(body)));
  const headers: Record<string, string> = {
    ...Object.fromEntries(Object.entries(plan.headers).map(([name, value]) => [name, asHeader(fill(value))])),
    ...(bytes && (rawBody?.headers ?? { 'Content-Type': 'application/json' })),
    ...authorization(plan, objects, sender),
  };
  if (operation.path.startsWith(SIGNED) && plan.caller === 'allowed') {
    headers['Agora-Signature-V2'] = createHmac('sha256', webhookSecret)
      .update(bytes ?? '')
      .digest('hex');
  }
  const target = path + (query.length === 0 ? '' : `?${query.join('&')}`);
  return {
    method: plan.method,
    target,
    headers,
    body: bytes,
    sender,
    named: namedUsers(operation, body),
  };
}

function authorization(plan: Plan, objects: KnownObjects, sender: Person): Record<string, string> {
  const { operation, caller, pick } = plan;
  if (caller === 'none' || operation.path.startsWith(SIGNED)) return {};
  if (caller === 'forged') return { Authorization: FORGED[Math.floor(pick * FORGED.length)] ?? '' };
  if (caller === 'key') return withApiKey(plan, objects, sender);
  const isAdmins = operation.path.startsWith('/api/admin/') && caller === 'allowed';
  const token = isAdmins ? objects.admins[Math.floor(pick * objects.admins.length)] : sender.token;
  return { Authorization: `Bearer ${token}` };
}

/** An API key; with a user to act on behalf of if the operation takes one and the plan has none. */
function withApiKey(
  { operation, pick, headers }: Plan,
  objects: KnownObjects,
  sender: Person,
): Record<string, string> {
  const [all = '', ...others] = objects.keys;
  const other = others[Math.floor(((pick - ALL_SCOPES) / (1 - ALL_SCOPES)) * others.length)];
  const isNamed = !(ON_BEHALF_OF in operation.headers) || ON_BEHALF_OF in headers;
  return {
    Authorization: `Bearer ${pick < ALL_SCOPES ? all : (other ?? all)}`,
    ...(!isNamed && { [ON_BEHALF_OF]: String(sender.id) }),
  };
}

/** Maximum depth of references in a body: in lists, in fields of objects. */
const DEEPEST_REFERENCE = 4;

function filled(value: unknown, objects: KnownObjects, sender: Person, depth = 0): unknown {
  if (value instanceof Reference) return objects.resolve(value, sender) ?? 1;
  if (depth === DEEPEST_REFERENCE) return value;
  if (Array.isArray(value)) return value.map((item) => filled(item, objects, sender, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  // Built by fromEntries and not by assignment, because a key may be __proto__.
  // Leaves out optional references without a known object: the first group has no parent.
  const known = Object.entries(value).filter(
    ([, inner]) => !(inner instanceof Reference) || objects.resolve(inner, sender) !== undefined,
  );
  return Object.fromEntries(known.map(([key, inner]) => [key, filled(inner, objects, sender, depth + 1)]));
}

/** Replaces lone surrogates, which a URL cannot contain. */
const asText = (value: unknown, max = MAX_PART): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, max).toWellFormed();

/** An empty segment would change the path, and a very long one would be rejected before routing. */
const asSegment = (value: unknown): string => encodeURIComponent(asText(value, MAX_SEGMENT)) || '%20';

function asQuery(name: string, value: unknown): string[] {
  if (value === undefined) return [];
  const values = Array.isArray(value) ? value.slice(0, 20) : [value];
  return values.map((one) => `${encodeURIComponent(name)}=${encodeURIComponent(asText(one))}`);
}

const asHeader = (value: unknown): string => asText(value).replaceAll(/[^\x20-\x7e]/g, '?');

function namedUsers({ path }: Operation, body: Record<string, unknown> = {}): number[] {
  return Object.entries(body)
    .filter(([name]) => kindOfField(path, name) === 'user')
    .flatMap(([, value]) => value)
    .filter((id) => typeof id === 'number');
}
