import type { OpenAPIObject } from '@nestjs/swagger';
import { ON_BEHALF_OF } from '../common/auth/api-keys/api-key';
import { KEY_SECURITY } from '../common/auth/api-keys/key-scope.decorator';
import { ERRORS, type ErrorKey } from '../common/errors/error-catalogue';
import { IDEMPOTENCY_KEY } from '../common/input/idempotency-key';
import { headersOf } from './answer-headers';
import { OWN_ERRORS } from './api-envelope.decorator';
import { type OperationObject, operationsOf, type Reference, type ResponseObject } from './document-types';
import { errorSchema } from './envelope-schemas';

/** A provider's notice is judged by its signature alone: what it holds is no error of a client's. */
const SIGNED = '/api/media/webhooks/';
/** What may say when to come again. */
const PASSING = new Set([429, 503]);
const JSON_TYPE = 'application/json';

type Responses = Record<string, ResponseObject>;

/**
 * Describes the errors of every operation below `/api`: its own, as `@ApiEnvelope` notes them, and those it shares with
 * all others (contract 1.2). One error alone under its HTTP status is an answer that all operations share.
 * @param alwaysOk errors travel with HTTP 200 too (`HTTP_STATUS_MODE=always_200`)
 */
export function addErrors(document: OpenAPIObject, { alwaysOk }: { alwaysOk: boolean }): OpenAPIObject {
  const shared: Responses = {};
  for (const [path, operation] of operationsOf(document)) {
    // What the generator assumes of every POST; here a success is always 200.
    delete operation.responses['201'];
    const keys = [...takeOwn(operation), ...sharedErrors(path, operation)];
    if (!path.startsWith('/api/')) operation.security = [];
    else if (alwaysOk) addToSuccess(operation, keys);
    else addByStatus(operation, keys, shared);
  }
  const components = document.components ?? {};
  return { ...document, components: { ...components, responses: { ...components.responses, ...shared } } };
}

function takeOwn(operation: OperationObject): ErrorKey[] {
  const notes = operation as { [OWN_ERRORS]?: ErrorKey[] };
  const own = notes[OWN_ERRORS] ?? [];
  delete notes[OWN_ERRORS];
  return own;
}

function sharedErrors(path: string, { security, requestBody, parameters = [] }: OperationObject): ErrorKey[] {
  const isAdmin = path.startsWith('/api/admin/');
  const keys: ErrorKey[] = ['TOO_MANY_REQUESTS', 'INTERNAL', 'UNAVAILABLE'];
  if (!isPublic(security)) keys.push(isAdmin ? 'ADMIN_UNAUTHORIZED' : 'UNAUTHORIZED');
  if (isAdmin || isOpenToKeys(security)) keys.push('FORBIDDEN');
  if (parameters.some((parameter) => 'name' in parameter && parameter.name === ON_BEHALF_OF))
    keys.push('USER_NOT_FOUND');
  if (path.startsWith(SIGNED)) return keys;
  if (parameters.some(isIdempotencyKey)) keys.push('REQUEST_ID_REUSED');
  if (requestBody || parameters.length > 0) keys.push('VALIDATION');
  if (requestBody) keys.push('MALFORMED_JSON', 'BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE');
  return keys;
}

const isIdempotencyKey = (parameter: object): boolean =>
  'name' in parameter && parameter.name === IDEMPOTENCY_KEY;

/** `@Public()` leaves the one requirement that asks for nothing. */
const isPublic = (security: OperationObject['security']): boolean =>
  security?.every((requirement) => Object.keys(requirement).length === 0) === true;

/** `@KeyScope()` and `@KeyOnBehalf()` leave one requirement for tokens and one for keys. */
const isOpenToKeys = (security: OperationObject['security']): boolean =>
  security?.some((requirement) => KEY_SECURITY in requirement) === true;

function addByStatus({ responses }: OperationObject, keys: ErrorKey[], shared: Responses): void {
  for (const [status, ofStatus] of Map.groupBy(new Set(keys), (key) => ERRORS[key].status)) {
    const [first, ...others] = ofStatus;
    if (first === undefined) continue;
    if (others.length > 0) responses[status] = errorAnswer(ofStatus);
    else {
      shared[nameOf(first)] ??= errorAnswer([first]);
      responses[status] = { $ref: `#/components/responses/${nameOf(first)}` } satisfies Reference;
    }
  }
}

/** `CALL_NOT_FOUND` → `CallNotFound`. */
const nameOf = (key: ErrorKey): string =>
  key
    .split('_')
    .map((word) => word.slice(0, 1) + word.slice(1).toLowerCase())
    .join('');

/** An answer that is one of some errors. */
function errorAnswer(keys: ErrorKey[]): ResponseObject {
  const specs = keys.map((key) => ERRORS[key]);
  const [{ code, message, status } = ERRORS.INTERNAL] = specs;
  return {
    description: specs.map((spec) => `\`${spec.code}\` ${spec.message}`).join(' · '),
    headers: headersOf(PASSING.has(status) ? ['X-Request-Id', 'Retry-After'] : ['X-Request-Id']),
    content: {
      [JSON_TYPE]: {
        schema: errorSchema(specs.map((spec) => spec.code)),
        example: { code, message, data: null },
      },
    },
  };
}

/** Where every envelope travels with HTTP 200, that answer is a success or any of the errors. */
function addToSuccess({ responses }: OperationObject, keys: ErrorKey[]): void {
  const success = responses['200'] as ResponseObject;
  const { description, headers, content } = errorAnswer([...new Set(keys)]);
  const error = content?.[JSON_TYPE]?.schema ?? {};
  const own = success.content?.[JSON_TYPE]?.schema;
  responses['200'] = {
    description: `${success.description}; or an error: ${description}`,
    headers: { ...success.headers, ...headers, ...headersOf(['Retry-After']) },
    content: { ...success.content, [JSON_TYPE]: { schema: own ? { oneOf: [own, error] } : error } },
  };
}
