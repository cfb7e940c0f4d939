import { applyDecorators, HttpCode } from '@nestjs/common';
import { ApiExtension, ApiExtraModels, ApiResponse } from '@nestjs/swagger';
import type { ErrorKey } from '../common/errors/error-catalogue';
import { SendsHeaders } from './answer-headers';
import { type DataType, isPage, modelsOf, successSchema } from './envelope-schemas';

/** Where an operation notes the errors of its own until `addErrors` describes them. */
export const OWN_ERRORS = 'x-own-errors';

/**
 * `@ApiEnvelope(CallResponse, 'CALL_NOT_FOUND')`: a success is HTTP 200 with this `data`, and these are the errors of the
 * operation's own. Those every operation shares (401, 422, 500 …) are added to the document by `addErrors`.
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

/** The errors of an operation's own alone: what it answers is no envelope. */
export const ApiErrors = (...errors: ErrorKey[]): MethodDecorator => ApiExtension(OWN_ERRORS, errors);
