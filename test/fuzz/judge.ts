import Ajv, { type ValidateFunction } from 'ajv';
import { ERRORS } from '../../src/common/errors/error-catalogue';
import type { OpenApiDocument, Operation, Schema } from './document';
import type { Answer } from './exchange';
import type { Request } from './request';

const CODES = new Set<number>(Object.values(ERRORS).map(({ code }) => code));
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Says what is wrong with answers, by the OpenAPI document alone. */
export class Judge {
  readonly #ajv: Ajv;

  /** `slowestMs`: how long an answer may take. */
  constructor(
    document: OpenApiDocument,
    private readonly slowestMs: number,
  ) {
    this.#ajv = new Ajv({
      strict: false,
      allErrors: true,
      formats: { 'date-time': MOMENT, uri: (text: string) => URL.canParse(text) },
    });
    this.#ajv.addSchema({ $id: 'document', ...closed(document) });
  }

  /** Whatever the answer to a request for the operation should not be; nothing when all is well. */
  problemsOf(operation: Operation, { method }: Pick<Request, 'method'>, answer: Answer): string[] {
    return [...this.#commonProblems(answer), ...this.#undocumented(operation, answer, method === 'HEAD')];
  }

  /** What no answer to anything may be. */
  #commonProblems({ status, headers, ms }: Answer): string[] {
    const problems: string[] = [];
    if (status >= 500) problems.push(`status ${status}`);
    if (ms > this.slowestMs) problems.push(`took ${Math.round(ms)} ms`);
    if (!headers['x-request-id']) problems.push('no X-Request-Id');
    return problems;
  }

  /** What is wrong with an answer to bytes that may be anything: an error is an envelope with a code of the catalogue. */
  problemsOfRaw(bytes: Buffer, answer: Answer): string[] {
    const problems = this.#commonProblems(answer);
    const isHead = bytes.subarray(0, 5).toString() === 'HEAD ';
    if (answer.status < 400 || isHead) return problems;
    const { code = -1, data } = (parsed(bodyOf(answer)) ?? {}) as { code?: number; data?: unknown };
    if (!CODES.has(code) || data !== null) problems.push(`${answer.status} without an envelope`);
    return problems;
  }

  #undocumented(
    { name, path, method, responses }: Operation,
    { status, headers, text }: Answer,
    isHead: boolean,
  ): string[] {
    if (!responses.has(status)) return [`status ${status} is not documented for ${name}`];
    const mediaType = responses.get(status);
    const given = String(headers['content-type'] ?? '').split(';')[0];
    if (mediaType === undefined || isHead) return text === '' ? [] : ['a body where none is documented'];
    if (given !== mediaType) return [`content type ${given} instead of ${mediaType}`];
    if (mediaType !== 'application/json')
      return text.startsWith(':') ? [] : ['a stream that does not begin with a comment'];
    const pointer = [
      'paths',
      path,
      method.toLowerCase(),
      'responses',
      String(status),
      'content',
      mediaType,
      'schema',
    ];
    return this.#mismatches(pointer, text);
  }

  #mismatches(pointer: string[], text: string): string[] {
    const body = parsed(text);
    if (body === undefined) return ['a body that is not JSON'];
    const reference = pointer.map((part) =>
      encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')),
    );
    const matches = this.#ajv.getSchema(`document#/${reference.join('/')}`) as ValidateFunction | undefined;
    if (matches === undefined) throw new Error(`No schema at ${pointer.join(' ')}`);
    if (matches(body)) return [];
    return (matches.errors ?? []).slice(0, 3).map(({ instancePath, message, params }) => {
      const extra = 'additionalProperty' in params ? ` (${String(params.additionalProperty)})` : '';
      return `${instancePath || 'the body'} ${message}${extra}`;
    });
  }
}

/** What follows the body on the connection is none of our business. */
const bodyOf = ({ text, headers }: Answer): string =>
  Buffer.from(text)
    .subarray(0, Number(headers['content-length'] ?? Number.MAX_SAFE_INTEGER))
    .toString();

/** The value that a JSON text stands for; undefined when it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The document read strictly: an object whose fields are listed has no others unless the document says that it may.
 * Clients must not read it so, since fields may come; but a field that nobody described is not to be answered.
 */
function closed<T>(part: T): T {
  if (Array.isArray(part)) return part.map(closed) as T;
  if (typeof part !== 'object' || part === null) return part;
  const copy = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, closed(value)])) as Schema;
  if (copy.type === 'object' && copy.properties && copy.additionalProperties === undefined)
    copy.additionalProperties = false;
  return copy as T;
}
