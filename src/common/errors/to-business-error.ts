import { HttpException } from '@nestjs/common';
import { BusinessError } from './business-error';
import type { ErrorKey } from './error-catalogue';
import { isDatabaseOutage } from '../../database/database-errors';

const BY_STATUS: Record<number, ErrorKey> = {
  400: 'MALFORMED_JSON',
  // A path that leaves the folder of the documentation's files, refused by the server of static files.
  403: 'ROUTE_NOT_FOUND',
  404: 'ROUTE_NOT_FOUND',
  413: 'BODY_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'TOO_MANY_REQUESTS',
  503: 'UNAVAILABLE',
};

/** The row of the catalogue for whatever was thrown: by us, by Nest, by Fastify, by a database, by a defect. */
export function toBusinessError(thrown: unknown): BusinessError {
  if (thrown instanceof BusinessError) return thrown;
  if (isDatabaseOutage(thrown)) return new BusinessError('UNAVAILABLE', { cause: thrown });
  return new BusinessError(BY_STATUS[statusOf(thrown)] ?? 'INTERNAL', { cause: thrown });
}

function statusOf(thrown: unknown): number {
  if (thrown instanceof HttpException) return thrown.getStatus();
  // Fastify's own errors carry a code of the form FST_ERR_…; any other `statusCode` is a library's inner matter.
  const { code, statusCode } = (thrown ?? {}) as { code?: unknown; statusCode?: unknown };
  const isFastifys = typeof code === 'string' && code.startsWith('FST_');
  return isFastifys && typeof statusCode === 'number' ? statusCode : 500;
}
