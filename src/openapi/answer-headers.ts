import { applyDecorators } from '@nestjs/common';
import { ApiExtension, type OpenAPIObject } from '@nestjs/swagger';
import { type OperationObject, operationsOf, type Reference, type ResponseObject } from './document-types';

interface HeaderObject {
  description: string;
  /** Whether every answer that lists it has it. */
  required: boolean;
  schema: { type: 'string' | 'integer'; minimum?: number };
  example: string | number;
}

const text = (description: string, example: string): HeaderObject => ({
  description,
  required: true,
  schema: { type: 'string' },
  example,
});
const count = (description: string, example: number): HeaderObject => ({
  description,
  required: true,
  schema: { type: 'integer', minimum: 0 },
  example,
});

/** The headers that answers carry, as `components.headers` has them. */
export const HEADERS = {
  'X-Request-Id': text(
    'Names the exchange in the log: the request’s own, when it is 1 to 128 of `A-Za-z0-9._-`, else a new one',
    '0f8fad5b-d9cb-469f-a165-70867728950e',
  ),
  'X-Total-Count': count('How many there are, over all pages', 1),
  'X-Event-Cursor': count('Events after this cursor bring the answer up to date; give it to `after`', 7),
  'X-Pinned-Count': count('How many of the page, the first ones, are pinned', 1),
  ETag: text(
    'Names this state of the answer, for `If-None-Match`; weak, for all encodings alike',
    'W/"2jmj7l5rSw0yVb_vlWAYkK_YBwk"',
  ),
  'Cache-Control': text('Who may keep the answer, and whether to ask before using it again', 'no-store'),
  'Content-Disposition': text('What the file is called', 'attachment; filename="audit.csv"'),
  'Retry-After': {
    ...count('After how many seconds another try makes sense', 30),
    required: false,
  },
} satisfies Record<string, HeaderObject>;

export type HeaderName = keyof typeof HEADERS;

/** How an operation notes a header of its successes until `addHeaders` describes it. */
const SENDS = 'x-sends-';

/** `@SendsHeaders('X-Event-Cursor')`: what the successes of a route carry, besides what every answer does. */
export const SendsHeaders = (...names: HeaderName[]): MethodDecorator =>
  applyDecorators(...names.map((name) => ApiExtension(SENDS + name, true)));

/**
 * The headers as `components.headers` has them. Where errors travel with HTTP 200 as successes do, an answer need not have
 * more than its id.
 */
export const headerSchemas = ({ alwaysOk }: { alwaysOk: boolean }): Record<string, HeaderObject> =>
  Object.fromEntries(
    Object.entries<HeaderObject>(HEADERS).map(([name, header]) => [
      name,
      { ...header, required: header.required && !(alwaysOk && name !== 'X-Request-Id') },
    ]),
  );

/** References to headers, as an answer lists them. */
export const headersOf = (names: readonly HeaderName[]): ResponseObject['headers'] =>
  Object.fromEntries(
    names.map((name): [string, Reference] => [name, { $ref: `#/components/headers/${name}` }]),
  );

/** Lists the headers of every answer that is written out; the shared ones of errors have theirs. */
export function addHeaders(document: OpenAPIObject): OpenAPIObject {
  for (const [, operation] of operationsOf(document)) {
    const sent = takeNoted(operation);
    for (const [status, response] of Object.entries(operation.responses)) {
      if (!response || '$ref' in response) continue;
      const isSuccess = Number(status) < 400;
      response.headers = {
        ...headersOf(isSuccess ? ['X-Request-Id', ...sent] : ['X-Request-Id']),
        ...response.headers,
      };
    }
  }
  return document;
}

function takeNoted(operation: OperationObject): HeaderName[] {
  const notes = operation as unknown as Record<string, unknown>;
  const keys = Object.keys(notes).filter((key) => key.startsWith(SENDS));
  for (const key of keys) delete notes[key];
  const names = new Set(keys.map((key) => key.slice(SENDS.length)));
  return (Object.keys(HEADERS) as HeaderName[]).filter((name) => names.has(name));
}
