import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { AttachmentResponse } from '../../src/attachments/dto/attachment.dto';
import { metadataOf, TUS } from './tus';

/** Bytes that every chunk of a generated file has. */
const CHUNK = Buffer.alloc(64 * 1024, 'callboard ');

/** Returns the content of a generated file from `from` to `to`, in chunks; no file is in memory as a whole. */
export function* generatedBytes(from: number, to: number): Generator<Buffer> {
  for (let at = from; at < to;) {
    const start = at % CHUNK.length;
    const chunk = CHUNK.subarray(start, Math.min(CHUNK.length, start + to - at));
    yield chunk;
    at += chunk.length;
  }
}

/** A response to an upload. */
export interface UploadAnswer {
  status: number;
  headers: IncomingMessage['headers'];
  body: { code: number; message: string; data: AttachmentResponse };
}

export async function answerOf(sent: ClientRequest): Promise<UploadAnswer> {
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: text ? JSON.parse(text) : null,
  };
}

/** Writes chunks at the pace of the connection. */
export async function writeAll(sent: ClientRequest, chunks: Iterable<Buffer>): Promise<void> {
  for (const chunk of chunks) if (!sent.write(chunk)) await once(sent, 'drain');
}

/** A client of the tus protocol over real connections. */
export class TusClient {
  constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  /** Creates an upload and returns its path. */
  async create(size: number): Promise<string> {
    const sent = this.#request('POST', TUS, {
      'upload-length': size,
      'upload-metadata': metadataOf({ type: 'file', filename: 'large.bin' }),
    });
    sent.end();
    return String((await answerOf(sent)).headers['location']);
  }

  /** Begins a PATCH, whose bytes the caller writes. */
  patch(path: string, offset: number, length: number): ClientRequest {
    return this.#request('PATCH', path, {
      'upload-offset': offset,
      'content-type': 'application/offset+octet-stream',
      'content-length': length,
    });
  }

  /** Sends the bytes of a generated file from `from` to `to`. */
  async append(path: string, from: number, to: number): Promise<UploadAnswer> {
    const sent = this.patch(path, from, to - from);
    const answer = answerOf(sent);
    await writeAll(sent, generatedBytes(from, to));
    sent.end();
    return answer;
  }

  /** Returns the status of an upload and its length so far. */
  async state(path: string): Promise<{ status: number; offset: number }> {
    const sent = this.#request('HEAD', path, {});
    sent.end();
    const { status, headers } = await answerOf(sent);
    return { status, offset: Number(headers['upload-offset']) };
  }

  #request(method: string, path: string, headers: Record<string, string | number>): ClientRequest {
    return request(`${this.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.token}`, 'tus-resumable': '1.0.0', ...headers },
    });
  }
}
