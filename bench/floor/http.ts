import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { callerOf, type Page, HttpError, SECURITY_HEADERS } from '../baseline/http';

/** A request of an authenticated user. */
export interface Incoming {
  user: number;
  /** Positive integer in the path; 0 without one. */
  id: number;
  query: URLSearchParams;
  /** The parsed JSON body; empty without one. */
  body: Record<string, unknown>;
}

export interface Answer {
  data: unknown;
  message?: string;
  headers?: Record<string, string | number>;
}

export type Handler = (request: Incoming) => Promise<Answer>;

/** Handlers by method and path, in which `:id` stands for a positive integer. */
export type Routes = Record<string, Handler>;

const JSON_TYPE = 'application/json; charset=utf-8';
const SECURITY = Object.entries(SECURITY_HEADERS).flat();

/** Creates the server. Paths without a route are answered 501. */
export function serve(routes: Routes): Server {
  const matchers = Object.entries(routes).map(([route, handle]) => {
    const [method = '', path = ''] = route.split(' ');
    return { method, pattern: new RegExp(`^${path.replace(':id', '([1-9]\\d*)')}$`), handle };
  });
  const reply = async (request: IncomingMessage): Promise<Answer> => {
    const [path = '', query = ''] = (request.url ?? '').split('?');
    if (path === '/health/ready') return { data: null };
    for (const { method, pattern, handle } of matchers) {
      const match = method === request.method ? pattern.exec(path) : null;
      if (match === null) continue;
      const user = callerOf(request).id;
      const body = method === 'GET' ? {} : await bodyOf(request);
      return handle({ user, id: Number(match[1] ?? 0), query: new URLSearchParams(query), body });
    }
    throw new HttpError(501, 501, `Not in the benchmark: ${request.method} ${path}`);
  };
  return createServer((request, response) => {
    reply(request).then(
      ({ data, message = '操作成功', headers = {} }) =>
        respond(response, 200, { code: 0, message, data }, headers),
      (error: unknown) => {
        const { status, code, message } =
          error instanceof HttpError ? error : { status: 500, code: 500, message: String(error) };
        respond(response, status, { code, message, data: null }, {});
      },
    );
  });
}

function respond(
  response: ServerResponse,
  status: number,
  envelope: object,
  more: Answer['headers'] = {},
): void {
  const text = JSON.stringify(envelope);
  response
    .writeHead(status, [
      ...SECURITY,
      'X-Request-Id',
      randomUUID(),
      'content-type',
      JSON_TYPE,
      'content-length',
      String(Buffer.byteLength(text)),
      ...Object.entries(more).flatMap(([name, value]) => [name, String(value)]),
    ])
    .end(text);
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  await new Promise<void>((resolve, reject) => {
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', resolve)
      .on('error', reject);
  });
  if (chunks.length === 0) return {};
  try {
    return JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
  } catch {
    throw new HttpError(400, 400, '请求体格式错误');
  }
}

/** Returns `page` and `per_page` from the query. */
export const pageIn = ({ query }: Incoming, perPage: number): Page => ({
  page: Number(query.get('page') ?? 1),
  per_page: Number(query.get('per_page') ?? perPage),
});

/** Returns a page in the shape of conversations and messages. */
export function itemsPage(items: unknown[], total: number, { page, per_page }: Page): Answer {
  const last_page = Math.max(1, Math.ceil(total / per_page));
  return {
    headers: { 'X-Total-Count': total },
    data: {
      items,
      pagination: { total, per_page, current_page: page, last_page, has_more: page < last_page },
    },
  };
}
