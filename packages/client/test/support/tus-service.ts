import { failure, success } from './scripted-fetch.js';

/** Outcome of a request that is not answered as usual. */
type Fault =
  | 'lost before'
  | 'lost after'
  | 'locked'
  | 'busy'
  | 'full'
  | 'half'
  | 'signed out'
  | 'rate limited';

interface Draft {
  size: number;
  metadata: Record<string, string>;
  bytes: Uint8Array<ArrayBuffer>;
}

const bytesOf = async (body: unknown): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await new Response(body as BodyInit).arrayBuffer());

const textOf = (base64: string): string => Buffer.from(base64, 'base64').toString('utf8');

/** A `fetch` that implements the tus route of the service in memory, over a connection that can fail. */
export class TusService {
  readonly drafts = new Map<string, Draft>();
  readonly requests: string[] = [];
  /** Called before a request is answered. Returns its outcome. */
  faultOf: (request: string) => Fault | undefined = () => undefined;
  #ids = 0;

  readonly fetch: typeof fetch = async (input, init = {}) => {
    const { method = 'GET', headers, body } = init;
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    const sent = new Headers(headers);
    const offset = sent.get('Upload-Offset');
    const name = `${method} ${pathname}${offset === null ? '' : ` at ${offset}`}`;
    this.requests.push(name);
    const fault = this.faultOf(name);
    init.signal?.throwIfAborted();
    if (fault === 'lost before') throw new TypeError('fetch failed');
    if (fault === 'locked') return new Response('Locked', { status: 423 });
    if (fault === 'busy') return failure(503, '服务暂不可用');
    if (fault === 'rate limited')
      return new Response(null, { status: 429, headers: { 'Retry-After': '20' } });
    if (fault === 'signed out')
      return method === 'HEAD' ? new Response(null, { status: 401 }) : failure(401, '未授权');
    if (fault === 'full') return failure(409, '存储空间不足');
    if (sent.get('Tus-Resumable') !== '1.0.0') return new Response('', { status: 412 });
    const bytes = method === 'PATCH' ? await bytesOf(body) : new Uint8Array();
    const response = this.#respond(method, pathname, sent, fault === 'half' ? bytes.slice(0, 1_000) : bytes);
    if (fault === 'lost after' || fault === 'half') throw new TypeError('terminated');
    return response;
  };

  #respond(method: string, path: string, sent: Headers, bytes: Uint8Array<ArrayBuffer>): Response {
    if (method === 'POST') return this.#create(sent);
    const id = path.split('/').at(-1) ?? '';
    const draft = this.drafts.get(id);
    if (draft === undefined)
      return new Response(method === 'HEAD' ? null : 'The file for this url was not found', { status: 404 });
    if (method === 'DELETE') {
      this.drafts.delete(id);
      return new Response(null, { status: 204 });
    }
    const at = String(draft.bytes.length);
    if (method === 'HEAD')
      return new Response(null, { headers: { 'Upload-Offset': at, 'Upload-Length': String(draft.size) } });
    if (sent.get('Upload-Offset') !== at) return new Response('Conflict', { status: 409 });
    draft.bytes = new Uint8Array(Buffer.concat([draft.bytes, bytes]));
    const headers = { 'Upload-Offset': String(draft.bytes.length) };
    if (draft.bytes.length < draft.size) return new Response(null, { status: 204, headers });
    return success({ id: 9, ...draft.metadata, size: draft.size }, headers);
  }

  #create(sent: Headers): Response {
    this.#ids += 1;
    const id = `draft-${this.#ids}`;
    const metadata = (sent.get('Upload-Metadata') ?? '')
      .split(',')
      .map((pair) => pair.split(' '))
      .map(([name = '', value = '']) => [name, textOf(value)]);
    this.drafts.set(id, {
      size: Number(sent.get('Upload-Length')),
      metadata: Object.fromEntries(metadata) as Record<string, string>,
      bytes: new Uint8Array(),
    });
    return new Response(null, { status: 201, headers: { Location: `/api/attachments/tus/${id}` } });
  }
}
