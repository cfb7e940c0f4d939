import type { OpenAPIObject } from '@nestjs/swagger';

/* Types of the parts of an OpenAPI document; @nestjs/swagger does not export them. */

export type OperationObject = NonNullable<OpenAPIObject['paths'][string]['get']>;
type ResponseOrReference = NonNullable<OperationObject['responses'][string]>;
/** `x-codes`: codes of the errors that have this response. */
export type ResponseObject = Extract<ResponseOrReference, { description: string }> & { 'x-codes'?: number[] };
export interface Reference {
  $ref: string;
}
export type Schema = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>[string];
export type SchemaObject = Exclude<Schema, { $ref: string }>;
type ParameterOrReference = NonNullable<OperationObject['parameters']>[number];
export type ParameterObject = Extract<ParameterOrReference, { name: string }>;

/** Returns the name of a schema for an event type or an error key: `call.ended` and `CALL_ENDED` → `CallEnded`. */
export const pascalCase = (name: string): string =>
  name.toLowerCase().replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Removes an extension from an operation and returns its value. */
export function takeExtension(operation: OperationObject, name: string): unknown {
  const extensions = operation as unknown as Record<string, unknown>;
  const value = extensions[name];
  delete extensions[name];
  return value;
}

/** Returns every operation of a document with its path. */
export const operationsOf = ({ paths }: OpenAPIObject): [path: string, operation: OperationObject][] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.values(item as Record<string, OperationObject>).map((operation): [string, OperationObject] => [
      path,
      operation,
    ]),
  );
