import { BusinessError, invalidBody } from '../errors/business-error';
import type { ErrorKey } from '../errors/error-catalogue';
import { exceededJsonLimit, MAX_JSON_TOKENS } from './json-limits';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * What a request carries, still as bytes. Fastify reads bodies before the guards run, but token, role and path are
 * checked first (contract 1.3), and whoever the guards refuse shall cost no parsing: so what the bytes hold, or what is
 * wrong with them, is found out when the pipe asks.
 */
export class RequestBody {
  /** @param bytes as they came, for signatures over them */
  constructor(
    readonly bytes: Buffer,
    private readonly problem?: ErrorKey,
    private readonly sent = bytes.length,
    private readonly table?: Buffer,
  ) {}

  /** A body that says it is CSV: for all but the routes that want it, as unreadable as any other that is no JSON. */
  static csv(bytes: Buffer): RequestBody {
    return new RequestBody(Buffer.alloc(0), 'UNSUPPORTED_MEDIA_TYPE', bytes.length, bytes);
  }

  /** A body that was not read, or is not for reading. `sent`: how many bytes it has, as far as that is known. */
  static unreadable(problem: ErrorKey, sent: number): RequestBody {
    return new RequestBody(Buffer.alloc(0), problem, sent);
  }

  /** Whether more than so many bytes were sent. */
  isLongerThan(bytes: number): boolean {
    return this.sent > bytes;
  }

  /**
   * What the body says; an empty one counts as `{}` (contract 1.1).
   * @throws {BusinessError} BODY_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, and what `parseJson` throws
   */
  json(): unknown {
    if (this.problem !== undefined) throw new BusinessError(this.problem);
    return this.bytes.length === 0 ? {} : parseJson(this.bytes);
  }

  /**
   * The file of a body that says it is CSV; nothing was sent: an empty one.
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
 * Parses JSON in UTF-8 that anybody may have written. Keys such as `__proto__` come out as keys like any other.
 * @throws {BusinessError} VALIDATION when it holds too much or is nested too deep; MALFORMED_JSON
 */
export function parseJson(bytes: Buffer, reviver?: Parameters<typeof JSON.parse>[1]): unknown {
  const limit = exceededJsonLimit(bytes);
  if (limit === 'tokens') throw invalidBody((words) => words.tooMany(MAX_JSON_TOKENS));
  if (limit === 'depth') throw invalidBody('取值无效');
  try {
    return JSON.parse(utf8.decode(bytes), reviver);
  } catch (cause) {
    throw new BusinessError('MALFORMED_JSON', { cause });
  }
}
