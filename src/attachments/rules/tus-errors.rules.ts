import { BusinessError } from '../../common/errors/business-error';
import type { ErrorKey } from '../../common/errors/error-catalogue';

/** Errors by the status with which `@tus/server` responds. 403 is a missing `Upload-Offset`. */
const BY_STATUS: Readonly<Record<number, ErrorKey>> = {
  400: 'BAD_REQUEST',
  403: 'BAD_REQUEST',
  404: 'ATTACHMENT_NOT_FOUND',
  409: 'UPLOAD_OFFSET_CONFLICT',
  410: 'ATTACHMENT_NOT_FOUND',
  413: 'BODY_TOO_LARGE',
  501: 'BAD_REQUEST',
};

/** Returns the error of a response of `@tus/server`. */
export const tusError = (status: number, text: string): BusinessError =>
  new BusinessError(BY_STATUS[status] ?? 'INTERNAL', { cause: new Error(`tus: ${status} ${text.trim()}`) });
