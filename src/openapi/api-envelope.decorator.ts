import { applyDecorators, HttpCode, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { ERRORS, type ErrorKey, type ErrorSpec } from '../common/errors/error-catalogue';
import type { SchemaObject } from './document-types';
import { GroupsPage, ItemsPage, ListPage } from '../common/http/page';

type PageShape = typeof ItemsPage | typeof GroupsPage | typeof ListPage;

/**
 * What an operation's `data` is: an object, a list, a page of a shape (with counts of its own beside it), an object or
 * null, or nothing.
 */
export type DataType =
  Type | [Type] | { page: PageShape; of: Type; counts?: readonly string[] } | { maybe: Type } | null;

/**
 * `@ApiEnvelope(CallResponse, 'CALL_NOT_FOUND')`: a success is HTTP 200 with this `data`, and these are the errors of the
 * operation's own. Those every operation shares (401, 422, 500 …) are added to the document by `addSharedErrors`.
 */
export function ApiEnvelope(data: DataType, ...errors: ErrorKey[]): MethodDecorator & ClassDecorator {
  return applyDecorators(
    HttpCode(200),
    ApiExtraModels(...modelsOf(data)),
    ApiResponse({
      status: 200,
      description: 'Success',
      schema: envelopeSchema({ code: 0 }, dataSchema(data)),
    }),
    ...errorResponses(errors).map(([status, response]) => ApiResponse({ status, ...response })),
  );
}

interface ErrorResponse {
  description: string;
  schema: SchemaObject;
}

/** The error answers for some rows of the catalogue, one for each HTTP status. */
export function errorResponses(keys: ErrorKey[]): [status: number, ErrorResponse][] {
  const byStatus = Map.groupBy(
    keys.map((key): ErrorSpec => ERRORS[key]),
    ({ status }) => status,
  );
  return Array.from(byStatus, ([status, specs]) => [
    status,
    {
      description: specs.map(({ code, message }) => `\`${code}\` ${message}`).join(' · '),
      schema: envelopeSchema({ enum: [...new Set(specs.map(({ code }) => code))] }, NOTHING),
    },
  ]);
}

const NOTHING: SchemaObject = { type: 'object', nullable: true, enum: [null] };
const COUNT: SchemaObject = { type: 'integer', minimum: 0 };
const POSITIVE: SchemaObject = { type: 'integer', minimum: 1 };

function envelopeSchema(code: { code: 0 } | { enum: number[] }, data: SchemaObject): SchemaObject {
  return objectOf({
    code: { type: 'integer', enum: 'enum' in code ? code.enum : [code.code] },
    message: { type: 'string' },
    data,
  });
}

function modelsOf(data: DataType): Type[] {
  if (data === null) return [];
  if (Array.isArray(data)) return data;
  if ('page' in data) return [data.of];
  return 'maybe' in data ? [data.maybe] : [data];
}

const reference = (model: Type): SchemaObject => ({ $ref: getSchemaPath(model) }) as SchemaObject;

function dataSchema(data: DataType): SchemaObject {
  if (data === null) return NOTHING;
  if (Array.isArray(data)) return { type: 'array', items: reference(data[0]) };
  if ('maybe' in data) return { anyOf: [reference(data.maybe), NOTHING] };
  if ('page' in data) return pageSchema(data.page, { type: 'array', items: reference(data.of) }, data.counts);
  return reference(data);
}

function pageSchema(shape: PageShape, list: SchemaObject, counts: readonly string[] = []): SchemaObject {
  const own = Object.fromEntries(counts.map((name) => [name, COUNT]));
  const here = { per_page: POSITIVE, current_page: POSITIVE };
  if (shape === ListPage) return objectOf({ list, total: COUNT, ...here, last_page: POSITIVE });
  const pagination =
    shape === GroupsPage
      ? { ...here, total: COUNT, total_pages: POSITIVE }
      : { total: COUNT, ...here, last_page: POSITIVE, has_more: { type: 'boolean' } as SchemaObject };
  return objectOf({ items: list, pagination: objectOf(pagination), ...own });
}

function objectOf(properties: Record<string, SchemaObject>): SchemaObject {
  return { type: 'object', required: Object.keys(properties), properties };
}
