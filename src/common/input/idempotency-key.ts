import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader, type ApiHeaderOptions } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { invalidField } from '../errors/business-error';

/** Header that identifies a request that creates something, so that a client can safely retry it (API 1.8). */
export const IDEMPOTENCY_KEY = 'Idempotency-Key';

/** Maximum length of an idempotency key in characters. */
export const MAX_IDEMPOTENCY_KEY = 64;

const PRINTABLE_ASCII = /^[\x20-\x7e]+$/;

/**
 * Returns the idempotency key of a request; undefined if it has none. Keys are compared byte for byte.
 * @throws {BusinessError} VALIDATION `Idempotency-Key 取值无效`: empty, longer than 64 characters, or not printable ASCII
 */
export function idempotencyKeyOf({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const key = headers[IDEMPOTENCY_KEY.toLowerCase()];
  if (key === undefined) return undefined;
  const isValid = typeof key === 'string' && key.length <= MAX_IDEMPOTENCY_KEY && PRINTABLE_ASCII.test(key);
  if (!isValid) throw invalidField(IDEMPOTENCY_KEY, 'invalid');
  return key;
}

const HEADER: ApiHeaderOptions = {
  name: IDEMPOTENCY_KEY,
  required: false,
  description:
    'Identifies the request: repeating it with the same key and body creates nothing twice; 1 to 64 printable ASCII characters',
  schema: { type: 'string', minLength: 1, maxLength: MAX_IDEMPOTENCY_KEY },
  example: '6c9e2f0a-import-17',
};

/** Extends a parameter decorator that reads `Idempotency-Key`: adds the header to the OpenAPI document. */
export const readFromKey = (read: ParameterDecorator): ParameterDecorator => {
  return (target, method, index) => {
    read(target, method, index);
    const descriptor = method === undefined ? undefined : Object.getOwnPropertyDescriptor(target, method);
    if (method !== undefined && descriptor) ApiHeader(HEADER)(target, method, descriptor);
  };
};

const readKey = createParamDecorator((_: unknown, context: ExecutionContext): string | undefined =>
  idempotencyKeyOf(context.switchToHttp().getRequest<FastifyRequest>()),
);

/**
 * `@IdempotencyKey() key?: string`, for bodies that have a field with the same meaning: see `withRequestId`.
 * @throws {BusinessError} VALIDATION as `idempotencyKeyOf`
 */
export const IdempotencyKey = (): ParameterDecorator => readFromKey(readKey());

/**
 * Returns the body with its request id in `field`: the id in the body, otherwise that of the header (API 1.8).
 * @throws {BusinessError} VALIDATION `{field} 取值无效`: the id in the body differs from the header
 */
export function withRequestId<Field extends string, Body extends { [Name in Field]?: string }>(
  key: string | undefined,
  field: Field,
  body: Body,
): Body {
  if (key === undefined || body[field] === key) return body;
  if (body[field] !== undefined) throw invalidField(field, 'invalid');
  return { ...body, [field]: key };
}
