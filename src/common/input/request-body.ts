import { BusinessError, invalidBody } from '../errors/business-error';
import type { ErrorKey } from '../errors/error-catalogue';
import { exceededJsonLimit, MAX_JSON_TOKENS } from './json-limits';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The unparsed body of a request. Fastify reads bodies before the guards run, but token, role and path are checked
 * first (contract 1.3), and requests that the guards reject must not be parsed. Therefore the bytes are parsed, and
 * their errors thrown, when the pipe reads them.
 */
export class RequestBody {
  /** @param bytes the original bytes, for signatures over them */
  constructor(
    readonly bytes: Buffer,
    private readonly problem?: ErrorKey,
    private readonly sent = bytes.length,
    private readonly table?: Buffer,
  ) {}

  /**
   * Creates a body sent as CSV. For all routes that do not use `csv`, it is unreadable, like any other body that is not
   * JSON.
   */
  static csv(bytes: Buffer): RequestBody {
    return new RequestBody(Buffer.alloc(0), 'UNSUPPORTED_MEDIA_TYPE', bytes.length, bytes);
  }

  /** Creates a body that was not read or must not be parsed. `sent`: its length in bytes as far as known. */
  static unreadable(problem: ErrorKey, sent: number): RequestBody {
    return new RequestBody(Buffer.alloc(0), problem, sent);
  }

  /** Whether more than `bytes` bytes were sent. */
  isLongerThan(bytes: number): boolean {
    return this.sent > bytes;
  }

  /**
   * Parses the body as JSON; an empty body counts as `{}` (contract 1.1).
   * @throws {BusinessError} BODY_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, and the errors of `parseJson`
   */
  json(): unknown {
    if (this.problem !== undefined) throw new BusinessError(this.problem);
    return this.bytes.length === 0 ? {} : parseJson(this.bytes);
  }

  /**
   * Returns the bytes of a body sent as CSV; an empty buffer if there was no body.
   * @throws {BusinessError} BODY_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE
   */
  csv(): Buffer {
    if (this.table !== undefined) return this.table;
    const problem = this.problem ?? (this.bytes.length > 0 ? 'UNSUPPORTED_MEDIA_TYPE' : undefined);
    if (problem !== undefined) throw new BusinessError(problem);
    return this.bytes;
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
