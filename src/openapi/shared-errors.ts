import type { OpenAPIObject } from '@nestjs/swagger';
import type { ErrorKey } from '../common/errors/error-catalogue';
import { errorResponses } from './api-envelope.decorator';
import type { OperationObject, ResponseObject } from './document-types';

/** A provider's notice is judged by its signature alone: what it holds is no error of a client's. */
const SIGNED = '/api/media/webhooks/';

/** Adds to every operation below `/api` the errors that it shares with all others (contract 1.2). */
export function addSharedErrors(document: OpenAPIObject): OpenAPIObject {
  for (const [path, item] of Object.entries(document.paths)) {
    for (const operation of Object.values(item) as OperationObject[]) {
      // What the generator assumes of every POST; here a success is always 200.
      delete operation.responses['201'];
      if (!path.startsWith('/api/')) operation.security = [];
      else addTo(operation, sharedErrors(path, operation));
    }
  }
  return document;
}

function sharedErrors(path: string, { security, requestBody, parameters = [] }: OperationObject): ErrorKey[] {
  const isAdmin = path.startsWith('/api/admin/');
  const keys: ErrorKey[] = ['TOO_MANY_REQUESTS', 'INTERNAL', 'UNAVAILABLE'];
  if (!isPublic(security)) keys.push(isAdmin ? 'ADMIN_UNAUTHORIZED' : 'UNAUTHORIZED');
  if (isAdmin) keys.push('FORBIDDEN');
  if (path.startsWith(SIGNED)) return keys;
  if (requestBody || parameters.length > 0) keys.push('VALIDATION');
  if (requestBody) keys.push('MALFORMED_JSON', 'BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE');
  return keys;
}

/** `@Public()` leaves the one requirement that asks for nothing. */
const isPublic = (security: OperationObject['security']): boolean =>
  security?.every((requirement) => Object.keys(requirement).length === 0) === true;

interface EnvelopeSchema {
  properties: { code: { enum: number[] } };
}

function addTo({ responses }: OperationObject, keys: ErrorKey[]): void {
  for (const [status, { description, schema }] of errorResponses(keys)) {
    const own = responses[status] as ResponseObject | undefined;
    const content = { 'application/json': { schema } };
    responses[status] = own === undefined ? { description, content } : merged(own, description, content);
  }
}

function merged(
  own: ResponseObject,
  description: string,
  added: NonNullable<ResponseObject['content']>,
): ResponseObject {
  const codes = [own.content, added].flatMap(
    (content) =>
      (content?.['application/json']?.schema as EnvelopeSchema | undefined)?.properties.code.enum ?? [],
  );
  const schema = structuredClone(added['application/json']?.schema) as unknown as EnvelopeSchema;
  schema.properties.code.enum = [...new Set(codes)];
  return {
    description: `${own.description} · ${description}`,
    content: { 'application/json': { schema } },
  };
}
