import Ajv, { type ValidateFunction } from 'ajv/dist/2019';
import { ERRORS } from '../../src/common/errors/error-catalogue';
import { closed } from './closed-schema';
import type { DocumentedResponse, OpenApiDocument, Operation } from './document';
import type { ReceivedResponse } from './exchange';
import type { Request } from './request';

const CODES = new Set<number>(Object.values(ERRORS).map(({ code }) => code));
const DATA = 'data: ';
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Validates responses against the OpenAPI document. */
export class ResponseValidator {
  readonly #ajv: Ajv;
  /** Documented response headers, in lower case. */
  readonly #headers: string[];

  constructor(document: OpenApiDocument) {
    this.#headers = Object.keys(document.components.headers ?? {}).map((name) => name.toLowerCase());
    this.#ajv = new Ajv({
      strict: false,
      allErrors: true,
      formats: {
        'date-time': MOMENT,
        uri: (text: string) => URL.canParse(text),
        int32: true,
        int64: true,
      },
    });
    this.#ajv.addSchema({ $id: 'document', ...closed(document) });
  }

  /** Returns the deviations of a response from the document; empty if it is valid. */
  problemsOf(
    operation: Operation,
    { method }: Pick<Request, 'method'>,
    response: ReceivedResponse,
  ): string[] {
    const problems = [
      ...this.#commonProblems(response),
      ...this.#undocumented(operation, response, method === 'HEAD'),
    ];
    return [...new Set(problems)];
  }

  /** Returns the problems that any response can have. */
  #commonProblems({ status, headers }: ReceivedResponse): string[] {
    const problems: string[] = [];
    if (status >= 500) problems.push(`status ${status}`);
    if (!headers['x-request-id']) problems.push('no X-Request-Id');
    return problems;
  }

  /** Returns the problems of a response to arbitrary bytes: an error must be an envelope with a code of the catalogue. */
  problemsOfRaw(bytes: Buffer, response: ReceivedResponse): string[] {
    const problems = this.#commonProblems(response);
    const isHead = bytes.subarray(0, 5).toString() === 'HEAD ';
    if (response.status < 400 || isHead) return problems;
    const { code = -1, data } = (parsed(bodyOf(response)) ?? {}) as { code?: number; data?: unknown };
    if (!CODES.has(code) || data !== null) problems.push(`${response.status} without an envelope`);
    return problems;
  }

  #undocumented({ name, responses }: Operation, response: ReceivedResponse, isHead: boolean): string[] {
    const documented = responses.get(response.status);
    if (documented === undefined) return [`status ${response.status} is not documented for ${name}`];
    return [
      ...this.#headerProblems(documented, response),
      ...this.#bodyProblems(documented, response, isHead),
    ];
  }

  #headerProblems(
    { headers: listed, required }: DocumentedResponse,
    { status, headers }: ReceivedResponse,
  ): string[] {
    const missing = required.filter((name) => headers[name.toLowerCase()] === undefined);
    // Not checked for errors: some of them have the headers that a route sets for its successes.
    const unlisted =
      status < 400 ? this.#headers.filter((name) => headers[name] !== undefined && !listed.has(name)) : [];
    return [...missing.map((name) => `no ${name}`), ...unlisted.map((name) => `${name} is not documented`)];
  }

  #bodyProblems(
    { at, types, codes }: DocumentedResponse,
    { headers, text }: ReceivedResponse,
    isHead: boolean,
  ): string[] {
    const given = String(headers['content-type'] ?? '').split(';')[0] ?? '';
    if (types.length === 0 || isHead) return text === '' ? [] : ['a body where none is documented'];
    if (!types.some((type) => isWithin(given, type)))
      return [`content type ${given} instead of ${types.join(' or ')}`];
    if (!types.includes(given)) return [];
    const pointer = [...at, 'content', given, 'schema'];
    if (given === 'text/event-stream') return this.#streamProblems(pointer, text);
    if (given !== 'application/json') return [];
    const problems = this.#mismatches(pointer, text);
    return problems.length > 0 || codes === undefined ? problems : codeProblems(codes, text);
  }

  /** A stream begins with a comment; the data of complete frames must match the document. */
  #streamProblems(pointer: string[], text: string): string[] {
    if (!text.startsWith(':')) return ['a stream that does not begin with a comment'];
    // Split at \n only: JSON may contain U+2028, which a regular expression treats as a line end.
    const lines = text.split('\n\n').slice(0, -1).join('\n').split('\n');
    const data = lines.filter((line) => line.startsWith(DATA)).map((line) => line.slice(DATA.length));
    return data.flatMap((json) => this.#mismatches(pointer, json));
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
      const extra = 'unevaluatedProperty' in params ? ` (${String(params.unevaluatedProperty)})` : '';
      return `${instancePath || 'the body'} ${message}${extra}`;
    });
  }
}

/** An error must have one of the documented codes. A success has the code 0. */
function codeProblems(codes: readonly number[], text: string): string[] {
  const { code = 0 } = (parsed(text) ?? {}) as { code?: number };
  return code === 0 || codes.includes(code) ? [] : [`code ${code} instead of ${codes.join(' or ')}`];
}

/** Returns the body without the bytes that follow it on the connection. */
const bodyOf = ({ text, headers }: ReceivedResponse): string =>
  Buffer.from(text)
    .subarray(0, Number(headers['content-length'] ?? Number.MAX_SAFE_INTEGER))
    .toString();

/** Whether a media type is a type or in a range of types such as `image/*`. */
const isWithin = (given: string, type: string): boolean =>
  type.endsWith('/*') ? given.startsWith(type.slice(0, -1)) : given === type;

/** Parses JSON; returns undefined if the text is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
