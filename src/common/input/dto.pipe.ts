import { type ArgumentMetadata, Injectable, type PipeTransform, type Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, validate } from 'class-validator';
import { LRUCache } from 'lru-cache';
import { invalidBody, invalidField } from '../errors/business-error';
import { problemOf } from './checked';
import { RequestBody } from './request-body';
import { Sealed } from './sealed';

/** How many queries each class remembers; most clients send the same few. */
const REMEMBERED_QUERIES = 500;
const LONGEST_REMEMBERED = 200;

/**
 * Turns bodies and queries into their DTOs, declared field by declared field: what else was sent is not looked at. The
 * first failing field, in the order in which the DTO declares them, becomes the 422 (contract 1.3). Nest's own
 * ValidationPipe walks through all of what was sent, and takes seconds over what an ill-meaning client sends.
 */
@Injectable()
export class DtoPipe implements PipeTransform {
  /** A query's DTO follows from its text alone, so those that were good are kept, frozen. */
  readonly #goodQueries = new WeakMap<Type, LRUCache<string, object>>();

  /** @throws {BusinessError} VALIDATION; of a body also what is wrong with the whole of it (`RequestBody`) */
  async transform(value: unknown, { type, metatype }: ArgumentMetadata): Promise<unknown> {
    // What a decorator of our own made is as it should be.
    if (metatype === undefined || (type !== 'body' && type !== 'query')) return value;
    return type === 'body' ? readBody(metatype, value) : this.#readQuery(metatype, value as object);
  }

  async #readQuery(metatype: Type, query: object): Promise<object> {
    const text = JSON.stringify(query);
    if (text.length > LONGEST_REMEMBERED) return toDto(metatype, query);
    const good = this.#goodQueries.get(metatype) ?? new LRUCache({ max: REMEMBERED_QUERIES });
    this.#goodQueries.set(metatype, good);
    const known = good.get(text);
    if (known !== undefined) return known;
    const dto = Object.freeze(await toDto(metatype, query));
    good.set(text, dto);
    return dto;
  }
}

/**
 * Turns a body into its DTO, for a parameter that chooses the class itself.
 * @throws {BusinessError} as the pipe
 */
export async function readBody<Dto extends object>(type: Type<Dto>, body: unknown): Promise<Dto> {
  return toDto(type, objectIn(body));
}

/** @throws {BusinessError} VALIDATION `请求体 必须是对象` */
function objectIn(body: unknown): object {
  const value = body instanceof RequestBody ? body.json() : (body ?? {});
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalidBody('必须是对象');
  return value;
}

/**
 * What was sent, as the DTO that declares it.
 * @throws {BusinessError} VALIDATION for the first failing field
 */
export async function toDto<Dto extends object>(type: Type<Dto>, sent: object): Promise<Dto> {
  const declared = fieldsOf(type)
    .filter((name) => Object.hasOwn(sent, name))
    .map((name) => [name, Sealed.seal(sent[name as keyof typeof sent])]);
  const dto = plainToInstance(type, Object.fromEntries(declared), { excludeExtraneousValues: true });
  const [first] = await validate(dto, { forbidUnknownValues: false });
  if (first === undefined) return dto;
  const { part, problem } = problemOf(dto, first.property) ?? { part: first.property, problem: '取值无效' };
  throw invalidField(part, problem);
}

const fieldNames = new WeakMap<Type, string[]>();

/** The names of the fields that a DTO declares. */
function fieldsOf(type: Type): string[] {
  const known = fieldNames.get(type);
  if (known !== undefined) return known;
  const declarations = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  const names = [...new Set(declarations.map(({ propertyName }) => propertyName))];
  fieldNames.set(type, names);
  return names;
}
