import type { Type } from '@nestjs/common';
import { getSchemaPath } from '@nestjs/swagger';
import { ERRORS } from '../common/errors/error-catalogue';
import { GroupsPage, type ItemsPage, ListPage } from '../common/http/page';
import type { Reference, Schema, SchemaObject } from './document-types';

/* Schemas that all responses share, and builders for those of an operation. */

type PageShape = typeof ItemsPage | typeof GroupsPage | typeof ListPage;

/**
 * The `data` of an operation: an object, a list, a page (with additional `counts`), an object or null (`maybe`), a
 * schema that no class can express, or null.
 */
export type DataType =
  | Type
  | [Type]
  | { page: PageShape; of: Type; counts?: readonly string[] }
  | { maybe: Type }
  | { schema: SchemaObject }
  | null;

/** The value null, which OpenAPI 3.0 has no type for. */
export const NOTHING: SchemaObject = { type: 'object', nullable: true, enum: [null] };

const count = (description: string, example: number): SchemaObject => ({
  type: 'integer',
  minimum: 0,
  description,
  example,
});
const positive = (description: string, example: number): SchemaObject => ({
  ...count(description, example),
  minimum: 1,
});

const total = count('Number of items on all pages; also in the header `X-Total-Count`', 1);
const requestedPage = {
  per_page: positive('Maximum number of items on a page, as requested', 20),
  current_page: positive('Number of this page, as requested', 1),
};
const lastPage = positive('Number of the last page with items; 1 if there are none', 1);

export function objectOf(properties: Record<string, Schema>, description?: string): SchemaObject {
  return {
    type: 'object',
    ...(description && { description }),
    required: Object.keys(properties),
    properties,
  };
}

const message: SchemaObject = {
  type: 'string',
  description: 'Text for users in the language of `MESSAGE_LANGUAGE`; programs use `code`',
  example: '操作成功',
};

/** Returns the schema of a success with the given schema of `data`. */
function envelopeOf(data: Schema): SchemaObject {
  return objectOf(
    { code: { type: 'integer', enum: [0], description: '0: success', example: 0 }, message, data },
    'Envelope of a success',
  );
}

/** Entries of `components.schemas` for all operations. Their names become those of the generated types. */
export const SHARED_SCHEMAS: Readonly<Record<string, SchemaObject>> = {
  NothingResponse: {
    ...envelopeOf({ ...NOTHING, description: 'Always null', example: null }),
    description: 'A success without a result',
  },
  ErrorResponse: objectOf(
    {
      code: {
        type: 'integer',
        minimum: 400,
        description:
          'Code of the error; each response lists its codes in `x-codes`, `docs/errors.md` lists all',
        example: ERRORS.VALIDATION.code,
      },
      message: { ...message, example: ERRORS.VALIDATION.message },
      data: { ...NOTHING, description: 'Always null', example: null },
    },
    'Envelope of all errors below `/api`',
  ),
  ItemsPagination: objectOf(
    {
      total,
      ...requestedPage,
      last_page: lastPage,
      has_more: { type: 'boolean', description: 'Whether there is a next page', example: false },
    },
    'Position of a page in a list of conversations, messages, calls, users or devices',
  ),
  GroupsPagination: objectOf(
    { ...requestedPage, total, total_pages: lastPage },
    'Position of a page in the list of device groups',
  ),
  ListPagination: objectOf(
    { total, ...requestedPage, last_page: lastPage },
    'Position of a page in the list of notifications; sibling of `list`',
  ),
};

/** Returns a reference to a schema of `components.schemas`, by name or class. */
export function referenceTo(model: string | Type): Reference {
  return { $ref: getSchemaPath(model) };
}

/** Returns the schema of a success by the type of its `data`. */
export const successSchema = (data: DataType): Schema =>
  data === null ? referenceTo('NothingResponse') : envelopeOf(dataSchema(data));

/** Returns the classes that a `data` refers to. */
export function modelsOf(data: DataType): Type[] {
  if (data === null || 'schema' in data) return [];
  if (Array.isArray(data)) return data;
  if ('page' in data) return [data.of];
  return 'maybe' in data ? [data.maybe] : [data];
}

export const isPage = (data: DataType): boolean => data !== null && 'page' in data;

function dataSchema(data: Exclude<DataType, null>): Schema {
  if (Array.isArray(data)) return { type: 'array', items: referenceTo(data[0]) };
  if ('schema' in data) return data.schema;
  if ('maybe' in data) return { anyOf: [referenceTo(data.maybe), NOTHING] };
  if ('page' in data)
    return pageSchema(data.page, { type: 'array', items: referenceTo(data.of) }, data.counts);
  return referenceTo(data);
}

function pageSchema(shape: PageShape, list: SchemaObject, counts: readonly string[] = []): SchemaObject {
  if (shape === ListPage) return { allOf: [referenceTo('ListPagination'), objectOf({ list })] };
  const pagination = referenceTo(shape === GroupsPage ? 'GroupsPagination' : 'ItemsPagination');
  const countFields = counts.map((name): [string, SchemaObject] => [name, { type: 'integer', minimum: 0 }]);
  return objectOf({ items: list, pagination, ...Object.fromEntries(countFields) });
}
