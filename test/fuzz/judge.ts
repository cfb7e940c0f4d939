import Ajv, { type ValidateFunction } from 'ajv';
import type { Request } from './request';
import type { OpenApiDocument, Operation, Schema } from './document';
import type { Answer } from './exchange';

/** An answer is never slower (issue: "never an answer over 2 s"). */
export const MAX_MS = 2_000;

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Says what is wrong with answers, by the OpenAPI document alone. */
export class Judge {
  readonly #ajv: Ajv;

  constructor(document: OpenApiDocument) {
    this.#ajv = new Ajv({
      strict: false,
      allErrors: true,
      formats: { 'date-time': MOMENT, uri: (text: string) => URL.canParse(text) },
    });
    this.#ajv.addSchema({ $id: 'document', ...closed(document) });
  }

  /** Whatever the answer to a request for the operation should not be; nothing when all is well. */
  problemsOf(operation: Operation, { method }: Pick<Request, 'method'>, answer: Answer): string[] {
    return [...commonProblems(answer), ...this.#undocumented(operation, answer, method === 'HEAD')];
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

/** What no answer to anything may be. */
export function commonProblems({ status, headers, ms }: Answer): string[] {
  const problems: string[] = [];
  if (status >= 500) problems.push(`status ${status}`);
  if (ms > MAX_MS) problems.push(`took ${Math.round(ms)} ms`);
  if (!headers['x-request-id']) problems.push('no X-Request-Id');
  return problems;
}

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
