import type { OpenAPIObject } from '@nestjs/swagger';

/* Names for parts of the OpenAPI document, which @nestjs/swagger does not export by themselves. */

export type OperationObject = NonNullable<OpenAPIObject['paths'][string]['get']>;
type ResponseOrReference = NonNullable<OperationObject['responses'][string]>;
export type ResponseObject = Extract<ResponseOrReference, { description: string }>;
type SchemaOrReference = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>[string];
export type SchemaObject = Exclude<SchemaOrReference, { $ref: string }>;
