import { applyDecorators, HttpCode } from '@nestjs/common';
import { ApiExtension, ApiExtraModels, ApiResponse } from '@nestjs/swagger';
import type { ErrorKey } from '../common/errors/error-catalogue';
import { SendsHeaders } from './response-headers';
import { type DataType, isPage, modelsOf, successSchema } from './envelope-schemas';

/** Extension with the errors specific to an operation; `addErrors` replaces it with responses. */
export const OWN_ERRORS = 'x-own-errors';

/**
 * `@ApiEnvelope(CallResponse, 'CALL_NOT_FOUND')`: documents a success, HTTP 200 with this `data`, and the errors
 * specific to the operation. `addErrors` adds the errors that operations share (401, 422, 500 …).
 */
export function ApiEnvelope(data: DataType, ...errors: ErrorKey[]): MethodDecorator {
  return applyDecorators(
    HttpCode(200),
    ApiExtraModels(...modelsOf(data)),
    ApiResponse({ status: 200, description: 'Success', schema: successSchema(data) }),
    ApiErrors(...errors),
    ...(isPage(data) ? [SendsHeaders('X-Total-Count')] : []),
  );
}

/** Documents only the errors specific to an operation, for successes without the envelope. */
export const ApiErrors = (...errors: ErrorKey[]): MethodDecorator => ApiExtension(OWN_ERRORS, errors);
