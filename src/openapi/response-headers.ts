import { applyDecorators } from '@nestjs/common';
import { ApiExtension, type OpenAPIObject } from '@nestjs/swagger';
import { operationsOf, type Reference, type ResponseObject, takeExtension } from './document-types';

interface HeaderObject {
  description: string;
  /** Whether every response that lists the header has it. */
  required: boolean;
  schema: { type: 'string' | 'integer'; minimum?: number };
  example: string | number;
}

const text = (description: string, example: string, required = true): HeaderObject => ({
  description,
  required,
  schema: { type: 'string' },
  example,
});
const count = (description: string, example: number, required = true): HeaderObject => ({
  description,
  required,
  schema: { type: 'integer', minimum: 0 },
  example,
});

/** The response headers, for `components.headers`. */
export const HEADERS = {
  'X-Request-Id': text(
    'Id of the request in the log: that of the request header if it has 1 to 128 characters of `A-Za-z0-9._-`, else a new one',
    '0f8fad5b-d9cb-469f-a165-70867728950e',
  ),
  'X-Total-Count': count('Number of items on all pages', 1),
  'X-Event-Cursor': count(
    'Cursor of this snapshot: the events after it bring the response up to date. Pass it as `after`',
    7,
  ),
  'X-Pinned-Count': count('Number of pinned items at the start of the page', 1),
  ETag: text(
    'Version of the response, for `If-None-Match`; weak, because it is the same for all encodings',
    'W/"2jmj7l5rSw0yVb_vlWAYkK_YBwk"',
  ),
  'Cache-Control': text(
    'Whether the response may be cached, by whom, and whether it must be revalidated',
    'no-store',
  ),
  'Set-Cookie': text(
    'The refresh token of clients that keep it in a cookie',
    'callboard_refresh=LdqPBhMUcrwr0Yf8fPUcTg; Max-Age=2592000; Path=/api/auth; HttpOnly; SameSite=Strict',
    false,
  ),
  'Content-Disposition': text(
    'Suggested name of the file; absent for media that are shown',
    'attachment; filename="audit.csv"',
    false,
  ),
  'Retry-After': count('Seconds to wait before the request is sent again', 30, false),
} satisfies Record<string, HeaderObject>;

export type HeaderName = keyof typeof HEADERS;

/** Prefix of the extension that marks a header of successful responses; `addHeaders` replaces it with the header. */
const EXTENSION_PREFIX = 'x-sends-';

/**
 * `@SendsHeaders('X-Event-Cursor')`: lists headers of the successful responses of a route, besides those of every
 * response.
 */
export const SendsHeaders = (...names: HeaderName[]): MethodDecorator =>
  applyDecorators(...names.map((name) => ApiExtension(EXTENSION_PREFIX + name, true)));

/**
 * Returns the headers for `components.headers`. With `alwaysOk`, errors have HTTP 200 like successes, so only
 * `X-Request-Id` is required.
 */
export const headerSchemas = ({ alwaysOk }: { alwaysOk: boolean }): Record<string, HeaderObject> =>
  Object.fromEntries(
    Object.entries<HeaderObject>(HEADERS).map(([name, header]) => [
      name,
      { ...header, required: header.required && !(alwaysOk && name !== 'X-Request-Id') },
    ]),
  );

/** Returns the references by which a response lists headers. */
export const headersOf = (names: readonly HeaderName[]): ResponseObject['headers'] =>
  Object.fromEntries(
    names.map((name): [string, Reference] => [name, { $ref: `#/components/headers/${name}` }]),
  );

/** Adds the headers to all inline responses. Shared error responses (`$ref`) list theirs already. */
export function addHeaders(document: OpenAPIObject): OpenAPIObject {
  for (const [, operation] of operationsOf(document)) {
    const names = Object.keys(HEADERS) as HeaderName[];
    const marked = names.filter((name) => takeExtension(operation, EXTENSION_PREFIX + name));
    for (const [status, response] of Object.entries(operation.responses)) {
      if (!response || '$ref' in response) continue;
      const isSuccess = Number(status) < 400;
      response.headers = {
        ...headersOf(isSuccess ? ['X-Request-Id', ...marked] : ['X-Request-Id']),
        ...response.headers,
      };
    }
  }
  return document;
}
