import {
  type ArgumentMetadata,
  Injectable,
  type Type,
  type ValidationError,
  ValidationPipe,
} from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { BusinessError, invalidField } from '../errors/business-error';
import { UnreadableBody } from './body-parser';

/** Of each class; most clients send the same few queries. */
const REMEMBERED_QUERIES = 500;
const LONGEST_REMEMBERED = 200;

/**
 * Turns bodies and queries into their DTOs. Unknown fields are dropped, and the first failing field, in the order
 * in which the DTO declares them, becomes the 422 (contract 1.3).
 */
@Injectable()
export class DtoPipe extends ValidationPipe {
  /** A query's DTO follows from its text alone, so those that were good are kept, frozen. */
  readonly #goodQueries = new WeakMap<Type, LRUCache<string, object>>();

  constructor() {
    super({
      transform: true,
      transformOptions: { excludeExtraneousValues: true },
      exceptionFactory: ([first]: ValidationError[]) =>
        new BusinessError('VALIDATION', { message: Object.values(first?.constraints ?? {})[0] }),
    });
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    switch (metadata.type) {
      case 'query':
        return this.#readQuery(value, metadata);
      case 'body':
        return this.#read(readableObject(value), metadata);
      case 'custom':
        // Made by a decorator of our own, it is as it should be.
        return value;
      default:
        return this.#read(value, metadata);
    }
  }

  async #readQuery(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const { metatype } = metadata;
    const text = JSON.stringify(value) ?? '';
    const isWhole = metadata.data === undefined && metatype !== undefined;
    if (!isWhole || text.length > LONGEST_REMEMBERED) return this.#read(value, metadata);
    const good = this.#goodQueries.get(metatype) ?? new LRUCache({ max: REMEMBERED_QUERIES });
    this.#goodQueries.set(metatype, good);
    const known = good.get(text);
    if (known !== undefined) return known;
    const dto = Object.freeze((await this.#read(value, metadata)) as object);
    good.set(text, dto);
    return dto;
  }

  async #read(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    try {
      return await super.transform(value, metadata);
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
