import { type ArgumentMetadata, Injectable, type ValidationError, ValidationPipe } from '@nestjs/common';
import { BusinessError, invalidField } from '../errors/business-error';
import { UnreadableBody } from './body-parser';

/**
 * Turns bodies and queries into their DTOs. Unknown fields are dropped, and the first failing field, in the order
 * in which the DTO declares them, becomes the 422 (contract 1.3).
 */
@Injectable()
export class DtoPipe extends ValidationPipe {
  constructor() {
    super({
      transform: true,
      transformOptions: { excludeExtraneousValues: true },
      exceptionFactory: ([first]: ValidationError[]) =>
        new BusinessError('VALIDATION', { message: Object.values(first?.constraints ?? {})[0] }),
    });
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const given = metadata.type === 'body' ? readableObject(value) : value;
    try {
      return await super.transform(given, metadata);
    } catch (error) {
      // A body nested deeper than class-transformer can follow.
      if (error instanceof RangeError) throw invalidField('请求体', '取值无效');
      throw error;
    }
  }
}

function readableObject(body: unknown): object {
  if (body === undefined) return {};
  if (body instanceof UnreadableBody) throw body.error;
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalidField('请求体', '必须是对象');
  return body;
}
