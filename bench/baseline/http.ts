import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

const REMEMBERED_FOR_MS = 10_000;

export const SECURITY_HEADERS = {
  'content-security-policy':
    "default-src 'self';base-uri 'self';font-src 'self' https: data:;form-action 'self';frame-ancestors 'self';" +
    "img-src 'self' data:;object-src 'none';script-src 'self';script-src-attr 'none';style-src 'self' https: 'unsafe-inline'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'SAMEORIGIN',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
};

export interface Caller {
  id: number;
  isAdmin: boolean;
}

const { JWT_SECRET = '' } = process.env;
const known = new Map<string, Caller & { until: number }>();

/** Returns the sender of the request. A verified token is cached for ten seconds. */
export function callerOf(request: Pick<FastifyRequest, 'headers'>): Caller {
  const token = (request.headers.authorization ?? '').slice('Bearer '.length);
  const now = Date.now();
  const remembered = known.get(token);
  if (remembered !== undefined && remembered.until > now) return remembered;
  const [header = '', payload = '', signature = ''] = token.split('.');
  const expected = createHmac('sha256', JWT_SECRET).update(`${header}.${payload}`).digest();
  const given = Buffer.from(signature, 'base64url');
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    throw new HttpError(401, 401, '未授权');
  const { sub, role, exp } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as {
    sub: string;
    role: string;
    exp: number;
  };
  if (exp * 1000 <= now) throw new HttpError(401, 401, '未授权');
  const caller = { id: Number(sub), isAdmin: role === 'admin', until: now + REMEMBERED_FOR_MS };
  known.set(token, caller);
  return caller;
}

/** An error response of the API. */
export class HttpError extends Error {
  constructor(
    readonly status: number,
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

/** A case that the service handles and the benchmark never requests. If it occurs under load, the run fails. */
export const notMeasured = (what: string): HttpError =>
  new HttpError(501, 501, `Not in the benchmark: ${what}`);

/** The baseline writes no event log, so the cursor is always 0. */
export const NO_EVENTS = { 'X-Event-Cursor': 0 };

export const ok = (reply: FastifyReply, data: unknown, message = '操作成功'): FastifyReply =>
  reply
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify({ code: 0, message, data }));

/** Returns a positive integer from the path. */
export function pathId(request: FastifyRequest, name: string): number {
  const text = (request.params as Record<string, string>)[name] ?? '';
  const id = /^[1-9]\d*$/.test(text) ? Number(text) : 0;
  if (!Number.isSafeInteger(id) || id === 0) throw new HttpError(422, 422, `${name} 必须是整数`);
  return id;
}

export interface Page {
  page: number;
  per_page: number;
}

/** Returns `page` and `per_page` from the query. */
export function pageOf(request: FastifyRequest, perPage: number): Page {
  const query = request.query as Record<string, string | undefined>;
  const page = queryInteger(query.page, 'page', Number.MAX_SAFE_INTEGER) ?? 1;
  return { page, per_page: queryInteger(query.per_page, 'per_page', 100) ?? perPage };
}

function queryInteger(text: string | undefined, name: string, most: number): number | undefined {
  if (text === undefined || text === '') return undefined;
  if (!/^\d+$/.test(text)) throw new HttpError(422, 422, `${name} 必须是整数`);
  const value = Number(text);
  if (value < 1) throw new HttpError(422, 422, `${name} 不能小于 1`);
  if (value > most) throw new HttpError(422, 422, `${name} 不能大于 ${most}`);
  return value;
}

/** Sends a page in the shape of conversations and messages. */
export function itemsPage(reply: FastifyReply, items: unknown[], total: number, { page, per_page }: Page) {
  void reply.header('X-Total-Count', total);
  const last_page = Math.max(1, Math.ceil(total / per_page));
  return {
    items,
    pagination: { total, per_page, current_page: page, last_page, has_more: page < last_page },
  };
}
