import type { Type } from '@nestjs/common';
import { getSchemaPath } from '@nestjs/swagger';
import { ERRORS } from '../common/errors/error-catalogue';
import { GroupsPage, type ItemsPage, ListPage } from '../common/http/page';
import type { Reference, Schema, SchemaObject } from './document-types';

/* The schemas that all answers share, and how an operation's own are made of them. */

export type PageShape = typeof ItemsPage | typeof GroupsPage | typeof ListPage;

/**
 * What an operation's `data` is: an object, a list, a page of a shape (with counts of its own beside it), an object or
 * null, what a schema says that no class can, or nothing.
 */
export type DataType =
  | Type
  | [Type]
  | { page: PageShape; of: Type; counts?: readonly string[] }
  | { maybe: Type }
  | { schema: SchemaObject }
  | null;

const NOTHING: SchemaObject = { type: 'object', nullable: true, enum: [null] };

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

const total = count('How many there are, over all pages; also in the header `X-Total-Count`', 1);
const here = {
  per_page: positive('How many a page holds, as asked for', 20),
  current_page: positive('The page that this is, as asked for', 1),
};
const lastPage = positive('The last page that has any; 1 when there are none', 1);

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
  description: 'For people, in the language of `MESSAGE_LANGUAGE`; programs go by `code`',
  example: '操作成功',
};

const Envelope = objectOf(
  {
    code: { type: 'integer', enum: [0], description: '0: success', example: 0 },
    message,
    data: { description: 'What was asked for; null where there is nothing to answer', example: null },
  },
  'What every success below `/api` is answered in',
);

/** What stands in `components.schemas` for all operations; the names are those of the generated types. */
export const SHARED_SCHEMAS: Readonly<Record<string, SchemaObject>> = {
  Envelope,
  NothingResponse: { ...envelopeOf(NOTHING), description: 'A success that has nothing to answer' },
  ErrorResponse: objectOf(
    {
      code: {
        type: 'integer',
        minimum: 400,
        description: 'Which error it is; each operation lists its own, `docs/errors.md` all',
        example: ERRORS.VALIDATION.code,
      },
      message: { ...message, example: ERRORS.VALIDATION.message },
      data: { ...NOTHING, description: 'Always null', example: null },
    },
    'What every error below `/api` is answered in',
  ),
  ItemsPagination: objectOf(
    {
      total,
      ...here,
      last_page: lastPage,
      has_more: { type: 'boolean', description: 'Whether there is a page after this one', example: false },
    },
    'Where in a list of conversations, messages, calls, users or devices a page is',
  ),
  GroupsPagination: objectOf(
    { ...here, total, total_pages: lastPage },
    'Where in the list of device groups a page is',
  ),
  ListPagination: objectOf(
    { total, ...here, last_page: lastPage },
    'Where in the list of notifications a page is; it stands beside `list`',
  ),
};

/** A reference to one of `components.schemas`, by its name or its class. */
export function referenceTo(model: string | Type): Reference {
  return { $ref: getSchemaPath(model) };
}

/** The schema of a success whose `data` is this. */
function envelopeOf(data: Schema): SchemaObject {
  return { allOf: [referenceTo('Envelope'), objectOf({ data })] };
}

/** The schema of a success, by what its `data` is. */
export const successSchema = (data: DataType): Schema =>
  data === null ? referenceTo('NothingResponse') : envelopeOf(dataSchema(data));

/** The schema of an error that has one of these codes. */
export const errorSchema = (codes: number[]): SchemaObject => ({
  allOf: [
    referenceTo('ErrorResponse'),
    { type: 'object', properties: { code: { type: 'integer', enum: [...new Set(codes)] } } },
  ],
});

/** The classes that a `data` is made of. */
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
  const own = counts.map((name): [string, SchemaObject] => [name, { type: 'integer', minimum: 0 }]);
  return objectOf({ items: list, pagination, ...Object.fromEntries(own) });
}
