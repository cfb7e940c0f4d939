import { HttpException } from '@nestjs/common';
import { BusinessError } from './business-error';
import type { ErrorKey } from './error-catalogue';
import type { OutageDetector } from './outage-detector';

const BY_STATUS: Record<number, ErrorKey> = {
  400: 'BAD_REQUEST',
  404: 'ROUTE_NOT_FOUND',
  413: 'BODY_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'TOO_MANY_REQUESTS',
  503: 'UNAVAILABLE',
};

/** The row of the catalogue for whatever was thrown: by us, by Nest, by Fastify, by a database, by a defect. */
export function toBusinessError(thrown: unknown, outages: OutageDetector): BusinessError {
  if (thrown instanceof BusinessError) return thrown;
  if (outages.isOutage(thrown)) return new BusinessError('UNAVAILABLE', { cause: thrown });
  return new BusinessError(keyOf(statusOf(thrown)), { cause: thrown });
}

/**
 * What else is a client's fault comes from the server of the documentation's files: a path that leaves their folder
 * (403), a precondition that they do not meet (412). For that client there is nothing there.
 */
function keyOf(status: number): ErrorKey {
  return BY_STATUS[status] ?? (status >= 400 && status < 500 ? 'ROUTE_NOT_FOUND' : 'INTERNAL');
}

function statusOf(thrown: unknown): number {
  if (thrown instanceof HttpException) return thrown.getStatus();
  // Fastify's own errors carry a code of the form FST_ERR_…; any other `statusCode` is a library's inner matter.
  const { code, statusCode } = (thrown ?? {}) as { code?: unknown; statusCode?: unknown };
  const isFastifys = typeof code === 'string' && code.startsWith('FST_');
  return isFastifys && typeof statusCode === 'number' ? statusCode : 500;
}
