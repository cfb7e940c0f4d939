import { type ArgumentMetadata, Injectable, type PipeTransform, type Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, validate } from 'class-validator';
import { invalidBody, invalidField } from '../errors/business-error';
import { problemOf } from './checked';
import { type CompiledDto, compileDto } from './compiled-dto';
import { RequestBody } from './request-body';
import { OpaqueValue } from './opaque-value';

/**
 * Converts bodies and queries to their DTOs. Reads the declared fields only and ignores all others. The first invalid
 * field, in order of declaration, becomes the 422 (API 1.4). Nest's ValidationPipe walks through the whole input,
 * which takes seconds for input made by an attacker.
 */
@Injectable()
export class DtoPipe implements PipeTransform {
  /** @throws {BusinessError} VALIDATION; for a body also the errors of `RequestBody.json` */
  async transform(value: unknown, { type, metatype }: ArgumentMetadata): Promise<unknown> {
    // Values of custom decorators are validated by them.
    if (metatype === undefined || (type !== 'body' && type !== 'query')) return value;
    return type === 'body' ? parseBody(metatype, value) : toDto(metatype, value as object);
  }
}

/**
 * Converts a body to its DTO, for decorators that choose the class themselves.
 * @throws {BusinessError} as `DtoPipe`
 */
export async function parseBody<Dto extends object>(type: Type<Dto>, body: unknown): Promise<Dto> {
  return toDto(type, objectIn(body));
}

/** @throws {BusinessError} VALIDATION `请求体 必须是对象` */
function objectIn(body: unknown): object {
  const value = body instanceof RequestBody ? body.json() : (body ?? {});
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalidBody('notAnObject');
  return value;
}

/**
 * Converts an object to a DTO and validates it.
 * @throws {BusinessError} VALIDATION for the first invalid field
 */
export async function toDto<Dto extends object>(type: Type<Dto>, sent: object): Promise<Dto> {
  const compiled = compiledDtos.get(type) ?? compileDto(type) ?? (() => undefined);
  compiledDtos.set(type, compiled);
  return (compiled(sent as Record<string, unknown>) as Dto | undefined) ?? toDtoByLibraries(type, sent);
}

/** `toDto` without compiled checks. Determines the error of every invalid object. */
export async function toDtoByLibraries<Dto extends object>(type: Type<Dto>, sent: object): Promise<Dto> {
  const declared = fieldsOf(type)
    .filter((name) => Object.hasOwn(sent, name))
    .map((name) => [name, OpaqueValue.wrap(sent[name as keyof typeof sent])]);
  const dto = plainToInstance(type, Object.fromEntries(declared), { excludeExtraneousValues: true });
  const [first] = await validate(dto, { forbidUnknownValues: false });
  if (first === undefined) return dto;
  const { part, problem } = problemOf(dto, first.property) ?? { part: first.property, problem: 'invalid' };
  throw invalidField(part, problem);
}

const compiledDtos = new WeakMap<Type, CompiledDto<object>>();
const fieldNames = new WeakMap<Type, string[]>();

/** Returns the names of the declared fields of a DTO. */
function fieldsOf(type: Type): string[] {
  const cached = fieldNames.get(type);
  if (cached !== undefined) return cached;
  const declarations = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  const names = [...new Set(declarations.map(({ propertyName }) => propertyName))];
  fieldNames.set(type, names);
  return names;
}
