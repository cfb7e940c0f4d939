import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader, type ApiHeaderOptions } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { invalidField } from '../errors/business-error';

/** The header by which a client names a request that makes something, so that it may be sent again (contract 13.1). */
export const IDEMPOTENCY_KEY = 'Idempotency-Key';

/** In characters. */
export const MAX_IDEMPOTENCY_KEY = 64;

const PRINTABLE_ASCII = /^[\x20-\x7e]+$/;

/**
 * The key of a request, compared byte for byte; undefined where it has none.
 * @throws {BusinessError} VALIDATION `Idempotency-Key 取值无效`: empty, longer than 64, or more than printable ASCII
 */
export function idempotencyKeyOf({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const key = headers[IDEMPOTENCY_KEY.toLowerCase()];
  if (key === undefined) return undefined;
  const isGood = typeof key === 'string' && key.length <= MAX_IDEMPOTENCY_KEY && PRINTABLE_ASCII.test(key);
  if (!isGood) throw invalidField(IDEMPOTENCY_KEY, '取值无效');
  return key;
}

const HEADER: ApiHeaderOptions = {
  name: IDEMPOTENCY_KEY,
  required: false,
  description:
    'Names the request: sent again with the same key and body it makes nothing twice; 1 to 64 printable ASCII characters',
  schema: { type: 'string', minLength: 1, maxLength: MAX_IDEMPOTENCY_KEY },
  example: '6c9e2f0a-import-17',
};

/** A parameter that is read from the `Idempotency-Key` of a request, with its description in the document. */
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
 * `@IdempotencyKey() key?: string`, where the body has a field of its own that says the same: see `identifiedBy`.
 * @throws {BusinessError} VALIDATION as `idempotencyKeyOf`
 */
export const IdempotencyKey = (): ParameterDecorator => readFromKey(readKey());

/**
 * A body with the id by which it may be repeated: its own, else the header's (contract 13.1).
 * @throws {BusinessError} VALIDATION `{field} 取值无效`: it has another one than the header
 */
export function identifiedBy<Field extends string, Body extends { [Name in Field]?: string }>(
  key: string | undefined,
  field: Field,
  body: Body,
): Body {
  if (key === undefined || body[field] === key) return body;
  if (body[field] !== undefined) throw invalidField(field, '取值无效');
  return { ...body, [field]: key };
}
