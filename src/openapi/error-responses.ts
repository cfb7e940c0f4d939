import type { OpenAPIObject } from '@nestjs/swagger';
import { ON_BEHALF_OF } from '../common/auth/api-keys/api-key';
import { KEY_SECURITY } from '../common/auth/api-keys/key-scope.decorator';
import { ERRORS, type ErrorKey } from '../common/errors/error-catalogue';
import { IDEMPOTENCY_KEY } from '../common/input/idempotency-key';
import { headersOf } from './response-headers';
import { OWN_ERRORS } from './api-envelope.decorator';
import {
  type OperationObject,
  operationsOf,
  pascalCase,
  type Reference,
  type ResponseObject,
  takeExtension,
} from './document-types';
import { referenceTo } from './envelope-schemas';

/** Media provider webhooks are authenticated by their signature; their bodies and parameters cause no client errors. */
const SIGNED_PREFIX = '/api/media/webhooks/';
/** HTTP statuses with the header `Retry-After`. */
const RETRYABLE = new Set([429, 503]);
const JSON_TYPE = 'application/json';

type Responses = Record<string, ResponseObject>;

/**
 * Documents the errors of every operation below `/api`, and of others that name errors: the specific ones from `@ApiEnvelope` and those that operations
 * share (API 1.3). An error that is the only one of its HTTP status is a shared response in
 * `components.responses`.
 * @param alwaysOk whether errors have HTTP 200, too (`HTTP_STATUS_MODE=always_200`)
 */
export function addErrors(document: OpenAPIObject, { alwaysOk }: { alwaysOk: boolean }): OpenAPIObject {
  const shared: Responses = {};
  for (const [path, operation] of operationsOf(document)) {
    // @nestjs/swagger adds 201 to every POST; here a success is always 200.
    delete operation.responses['201'];
    const specific = (takeExtension(operation, OWN_ERRORS) ?? []) as ErrorKey[];
    if (!path.startsWith('/api/')) operation.security = [];
    // Routes of probes and of monitoring have responses of their own.
    if (!path.startsWith('/api/') && specific.length === 0) continue;
    const keys = [...specific, ...sharedErrors(path, operation)];
    if (alwaysOk) addToSuccess(operation, keys);
    else addByStatus(operation, keys, shared);
  }
  const components = document.components ?? {};
  return { ...document, components: { ...components, responses: { ...components.responses, ...shared } } };
}

function sharedErrors(path: string, { security, requestBody, parameters = [] }: OperationObject): ErrorKey[] {
  const isAdmin = path.startsWith('/api/admin/');
  const keys: ErrorKey[] = ['TOO_MANY_REQUESTS', 'INTERNAL', 'UNAVAILABLE'];
  if (!isPublic(security)) keys.push(isAdmin ? 'ADMIN_UNAUTHORIZED' : 'UNAUTHORIZED');
  if (isAdmin || isOpenToKeys(security)) keys.push('FORBIDDEN');
  if (parameters.some((parameter) => 'name' in parameter && parameter.name === ON_BEHALF_OF))
    keys.push('USER_NOT_FOUND');
  if (path.startsWith(SIGNED_PREFIX)) return keys;
  if (parameters.some(isIdempotencyKey)) keys.push('REQUEST_ID_REUSED');
  if (requestBody || parameters.length > 0) keys.push('VALIDATION');
  if (requestBody) keys.push('MALFORMED_JSON', 'BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE');
  return keys;
}

const isIdempotencyKey = (parameter: object): boolean =>
  'name' in parameter && parameter.name === IDEMPOTENCY_KEY;

/** Whether an operation needs no token: `@Public()` leaves one empty security requirement. */
const isPublic = (security: OperationObject['security']): boolean =>
  security?.every((requirement) => Object.keys(requirement).length === 0) === true;

/** Whether an operation accepts API keys: `@KeyScope()` and `@KeyOnBehalf()` add a security requirement for keys. */
const isOpenToKeys = (security: OperationObject['security']): boolean =>
  security?.some((requirement) => KEY_SECURITY in requirement) === true;

function addByStatus({ responses }: OperationObject, keys: ErrorKey[], shared: Responses): void {
  for (const [status, ofStatus] of Map.groupBy(new Set(keys), (key) => ERRORS[key].status)) {
    const [first, second] = ofStatus;
    if (first === undefined) continue;
    if (second !== undefined) responses[status] = errorResponse(ofStatus);
    else {
      shared[pascalCase(first)] ??= errorResponse([first]);
      responses[status] = { $ref: `#/components/responses/${pascalCase(first)}` } satisfies Reference;
    }
  }
}

/** Returns the response for one of the given errors. */
function errorResponse(keys: ErrorKey[]): ResponseObject {
  const specs = keys.map((key) => ERRORS[key]);
  const [{ code, message, status } = ERRORS.INTERNAL] = specs;
  return {
    description: specs.map((spec) => `\`${spec.code}\` ${spec.message}`).join(' · '),
    // For programs; the description has the same codes for people.
    'x-codes': [...new Set(specs.map((spec) => spec.code))],
    headers: headersOf(RETRYABLE.has(status) ? ['X-Request-Id', 'Retry-After'] : ['X-Request-Id']),
    content: {
      [JSON_TYPE]: {
        schema: referenceTo('ErrorResponse'),
        example: { code, message, data: null },
      },
    },
  };
}

/** Adds the errors to the response of HTTP 200, which is then a success or any of the errors. */
function addToSuccess({ responses }: OperationObject, keys: ErrorKey[]): void {
  const success = responses['200'] as ResponseObject;
  const { description, headers, content, ...codes } = errorResponse([...new Set(keys)]);
  const error = content?.[JSON_TYPE]?.schema ?? {};
  const data = success.content?.[JSON_TYPE]?.schema;
  responses['200'] = {
    description: `${success.description}; or an error: ${description}`,
    ...codes,
    headers: { ...success.headers, ...headers, ...headersOf(['Retry-After']) },
    content: { ...success.content, [JSON_TYPE]: { schema: data ? { oneOf: [data, error] } : error } },
  };
}
