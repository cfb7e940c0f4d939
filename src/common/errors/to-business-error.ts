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

/**
 * Converts any thrown value to an error of the catalogue: from this code, Nest, Fastify or the database, or a defect
 * (INTERNAL).
 */
export function toBusinessError(thrown: unknown, outages: OutageDetector): BusinessError {
  if (thrown instanceof BusinessError) return thrown;
  if (outages.isOutage(thrown)) return new BusinessError('UNAVAILABLE', { cause: thrown });
  return new BusinessError(keyOf(statusOf(thrown)), { cause: thrown });
}

/**
 * Returns the key for an HTTP status. Other 4xx statuses come from the static file server of the documentation: a path
 * outside its folder (403), a failed precondition (412). They become ROUTE_NOT_FOUND.
 */
function keyOf(status: number): ErrorKey {
  return BY_STATUS[status] ?? (status >= 400 && status < 500 ? 'ROUTE_NOT_FOUND' : 'INTERNAL');
}

function statusOf(thrown: unknown): number {
  if (thrown instanceof HttpException) return thrown.getStatus();
  // Only Fastify's errors, whose code is FST_ERR_…, set the status of the response. A `statusCode` of any other library
  // is ignored.
  const { code, statusCode } = (thrown ?? {}) as { code?: unknown; statusCode?: unknown };
  const isFastifyError = typeof code === 'string' && code.startsWith('FST_');
  return isFastifyError && typeof statusCode === 'number' ? statusCode : 500;
}
