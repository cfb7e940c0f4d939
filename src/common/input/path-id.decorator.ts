import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { invalidField } from '../errors/business-error';

const readPathId = createParamDecorator((name: string, context: ExecutionContext): number => {
  const { [name]: text = '' } = context
    .switchToHttp()
    .getRequest<FastifyRequest<{ Params: Record<string, string> }>>().params;
  const id = /^\d{1,16}$/.test(text) ? Number(text) : 0;
  if (!Number.isSafeInteger(id) || id < 1) throw invalidField(name, 'notAnInteger');
  return id;
});

/**
 * An id in the path: a positive integer up to 2^53-1.
 * @throws {BusinessError} VALIDATION `{name} 必须是整数` (API 1.4)
 */
export function PathId(name: string): ParameterDecorator {
  return (target, method, index) => {
    readPathId(name)(target, method, index);
    const descriptor = method === undefined ? undefined : Object.getOwnPropertyDescriptor(target, method);
    if (method !== undefined && descriptor) {
      const schema = { type: 'integer' as const, minimum: 1, maximum: Number.MAX_SAFE_INTEGER };
      ApiParam({ name, schema })(target, method, descriptor);
    }
  };
}
