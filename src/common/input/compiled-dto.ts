import { applyDecorators, type Type } from '@nestjs/common';
import { Expose, Transform } from 'class-transformer';
import { getMetadataStorage, ValidationTypes } from 'class-validator';
import { OpaqueValue } from './opaque-value';

/** Metadata key of the function with which `field` reads a value from the sent object. */
const READ = Symbol('read');

type Read = (value: unknown) => unknown;

/** Declares how a field is read from the sent value: for class-transformer, and for `compileDto`. */
export const readBy = (read: Read): PropertyDecorator =>
  applyDecorators(
    Expose(),
    // `obj` has the original value; `value` is class-transformer's copy of it or of its wrapper.
    Transform(({ obj, key }: { obj: Record<string, unknown>; key: string }) =>
      read(OpaqueValue.unwrap(obj[key])),
    ),
    (dto: object, field: string | symbol) => Reflect.defineMetadata(READ, read, dto, field),
  );

/** Converts and validates an object. Returns undefined if a constraint is violated. */
export type CompiledDto<Dto> = (sent: Record<string, unknown>) => Dto | undefined;

interface CompiledField {
  name: string;
  read: Read;
  conditions: ((dto: object, value: unknown) => boolean)[];
  constraints: ((value: unknown, dto: object) => unknown)[];
}

/**
 * Compiles the decorators of a DTO class to one function, which for a valid object returns the same as class-transformer
 * and class-validator. These search the metadata of all classes on each call. Returns undefined if the class has a
 * decorator that is not known here; only the libraries can then read it.
 */
export function compileDto<Dto extends object>(type: Type<Dto>): CompiledDto<Dto> | undefined {
  const fields = new Map<string, CompiledField>();
  const storage = getMetadataStorage();
  for (const metadata of storage.getTargetValidationMetadatas(type, '', false, false)) {
    const { propertyName: name, constraintCls, constraints, each, validateIf } = metadata;
    const read = Reflect.getMetadata(READ, type.prototype as object, name) as Read | undefined;
    if (read === undefined || each || validateIf) return undefined;
    const field = fields.get(name) ?? { name, read, conditions: [], constraints: [] };
    fields.set(name, field);
    if (metadata.type === ValidationTypes.CONDITIONAL_VALIDATION) field.conditions.push(constraints[0]);
    else if (metadata.type !== ValidationTypes.CUSTOM_VALIDATION) return undefined;
    else
      for (const { instance } of storage.getTargetValidatorConstraints(constraintCls))
        field.constraints.push((value, object) =>
          instance.validate(value, { targetName: type.name, property: name, object, value, constraints }),
        );
  }
  const compiled = [...fields.values()];
  return (sent: Record<string, unknown>) => {
    const dto = new type() as Dto & Record<string, unknown>;
    const values: Record<string, unknown> = dto;
    for (const { name, read } of compiled)
      values[name] = read(Object.hasOwn(sent, name) ? sent[name] : undefined);
    return compiled.every((field) => isValid(values, field)) ? dto : undefined;
  };
}

/** Whether a field passes its constraints, if its conditions apply. False for an asynchronous constraint. */
function isValid(dto: Record<string, unknown>, { name, conditions, constraints }: CompiledField): boolean {
  const value = dto[name];
  if (!conditions.every((applies) => applies(dto, value))) return true;
  return constraints.every((isMet) => isMet(value, dto) === true);
}
