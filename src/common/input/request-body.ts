import { BusinessError, invalidBody } from '../errors/business-error';
import type { ErrorKey } from '../errors/error-catalogue';
import { exceededJsonLimit, MAX_JSON_TOKENS } from './json-limits';

const EMPTY = Buffer.alloc(0);
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The unparsed body of a request. Fastify reads bodies before the guards run, but token, role and path are checked
 * first (API 1.4), and requests that the guards reject must not be parsed. Therefore the bytes are parsed, and
 * their errors thrown, when the pipe reads them.
 */
export class RequestBody {
  /**
   * @param chunks bytes in the order of their arrival. They are joined when a reader needs them: rejected requests
   * must not cost a copy of their body.
   * @param sent length in bytes as far as known
   * @param format format of the body, or the error for all readers of a body that was not read or must not be parsed. A
   * CSV body is unreadable for all routes that do not use `csv`, like any other body that is not JSON.
   */
  constructor(
    private chunks: Buffer[],
    private readonly sent: number,
    private readonly format: 'json' | 'csv' | ErrorKey,
  ) {}

  /** The original bytes, for signatures over them; empty if the body is not JSON. */
  get bytes(): Buffer {
    return this.format === 'json' ? this.#join() : EMPTY;
  }

  /** Whether more than `bytes` bytes were sent. */
  isLongerThan(bytes: number): boolean {
    return this.sent > bytes;
  }

  /**
   * Parses the body as JSON; an empty body counts as `{}` (API 1.2).
   * @throws {BusinessError} BODY_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, and the errors of `parseJson`
   */
  json(): unknown {
    const bytes = this.#bytesOf('json');
    return this.sent === 0 ? {} : parseJson(bytes);
  }

  /**
   * Returns the bytes of a body sent as CSV; an empty buffer if there was no body.
   * @throws {BusinessError} BODY_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE
   */
  csv(): Buffer {
    return this.#bytesOf('csv');
  }

  #bytesOf(format: 'json' | 'csv'): Buffer {
    if (this.sent === 0 || this.format === format) return this.#join();
    const isReadable = this.format === 'json' || this.format === 'csv';
    throw new BusinessError(isReadable ? 'UNSUPPORTED_MEDIA_TYPE' : this.format);
  }

  #join(): Buffer {
    if (this.chunks.length > 1) this.chunks = [Buffer.concat(this.chunks)];
    return this.chunks[0] ?? EMPTY;
  }
}

/**
 * Parses untrusted JSON in UTF-8. Keys such as `__proto__` become ordinary own properties.
 * @throws {BusinessError} VALIDATION if it has too many tokens or is nested too deeply; MALFORMED_JSON
 */
export function parseJson(bytes: Buffer, reviver?: Parameters<typeof JSON.parse>[1]): unknown {
  const limit = exceededJsonLimit(bytes);
  if (limit === 'tokens') throw invalidBody((catalogue) => catalogue.tooMany(MAX_JSON_TOKENS));
  if (limit === 'depth') throw invalidBody('invalid');
  try {
    return JSON.parse(utf8.decode(bytes), reviver);
  } catch (cause) {
    throw new BusinessError('MALFORMED_JSON', { cause });
  }
}
