import * as fc from 'fast-check';
import type { Operation, Schema } from './document';
import { formBody } from './form-bodies';
import { consistent, consistentHeaders, isSigned, kindOfPathName } from './names';
import { type RawBody, csvBody, invalidBody } from './invalid-bodies';
import { few, fieldsOf, fraction, hostile, object, valid } from './values';
import { Reference } from './known-objects';

/** Sender of a request: an allowed user, any user, no user, a forged token, or an API key. */
type CallerKind = 'allowed' | 'any' | 'none' | 'forged' | 'key';

/** A request before its objects are known, as determined by the seed. */
export interface Plan {
  operation: Operation;
  /** The method of the operation, or HEAD instead of GET. */
  method: string;
  caller: CallerKind;
  /** Selects one of the suitable users, from 0 to 1. */
  pick: number;
  path: Record<string, unknown>;
  query: Record<string, unknown>;
  headers: Record<string, unknown>;
  body?: Record<string, unknown>;
  rawBody?: RawBody;
}

const getOrHead = fc.oneof(
  { weight: 30, arbitrary: fc.constant('GET') },
  { weight: 1, arbitrary: fc.constant('HEAD') },
);

const callerFor = ({ takesKeys }: Operation): fc.Arbitrary<CallerKind> =>
  fc.oneof(
    { weight: 30, arbitrary: fc.constant('allowed') },
    { weight: 2, arbitrary: fc.constant('any') },
    { weight: 1, arbitrary: fc.constant('none') },
    { weight: 1, arbitrary: fc.constant('forged') },
    { weight: takesKeys ? 6 : 0, arbitrary: fc.constant('key') },
  );

/** Headers that any request may have, as proxies and unusual clients send them. */
const commonHeaders = fc.record(
  {
    'X-Forwarded-For': fc.oneof(
      fc.ipV4(),
      fc.ipV6(),
      fc.constantFrom('unknown', '', '1.2.3.4, 5.6.7.8', '::ffff:1.2.3.4', '999.1.1.1'),
    ),
    'X-Request-Id': fc.oneof(fc.string(), fc.constantFrom('a'.repeat(128), 'a'.repeat(129))),
    'Accept-Encoding': fc.constantFrom('gzip', 'br', 'deflate', '*', 'gzip;q=0, br;q=1', 'nonsense'),
    Accept: fc.constantFrom('application/json', 'text/html', '*/*', 'nonsense'),
    Origin: fc.constantFrom('https://elsewhere.example', 'null'),
  },
  { requiredKeys: ['X-Forwarded-For'] },
);

/** Requests for one operation, most of them valid. */
export function plansFor(operation: Operation): fc.Arbitrary<Plan> {
  return fc.oneof(
    { weight: 12, arbitrary: validPlans(operation) },
    { weight: 5, arbitrary: mutatedPlans(operation) },
    { weight: 1, arbitrary: invalidPlans(operation) },
  );
}

function validPlans(operation: Operation): fc.Arbitrary<Plan> {
  const { path, pathNames, query, headers, body } = operation;
  const ids = pathNames.map((name) => [name, pathValue(path, name)]);
  const plans = fc.record({
    operation: fc.constant(operation),
    method: operation.method === 'GET' ? getOrHead : fc.constant(operation.method),
    caller: callerFor(operation),
    pick: fraction,
    path: fc.record(Object.fromEntries(ids) as Record<string, fc.Arbitrary<unknown>>),
    // The signed query belongs to the path.
    query: isSigned(path) ? fc.constant({}) : few(path, query),
    headers: fc.tuple(few(path, headers), commonHeaders).map(([own, common]) => ({ ...common, ...own })),
    body: body === undefined ? fc.constant(undefined) : object(path, body).map(consistent),
    rawBody: bodyOtherThanJson(operation),
  });
  return plans.map((plan) => ({ ...plan, headers: consistentHeaders(plan.headers, plan.body) }));
}

const bodyOtherThanJson = ({ csv, form }: Operation): fc.Arbitrary<RawBody | undefined> => {
  if (form !== undefined) return formBody(form);
  return csv === undefined ? fc.constant(undefined) : csvBody(csv);
};

const pathValue = (path: string, name: string): fc.Arbitrary<unknown> => {
  const kind = kindOfPathName(path, name);
  if (kind === undefined) throw new Error(`names.ts does not know what ${name} in ${path} is`);
  const known = fraction.map((pick) => new Reference(kind, pick));
  return fc.oneof(
    { weight: 12, arbitrary: known },
    { weight: 1, arbitrary: valid(path, '', { type: 'integer', minimum: 1 }) },
  );
};

/** A part of a request and its replacement; undefined: it is removed. */
interface Mutation {
  part: 'path' | 'query' | 'headers' | 'body';
  name: string;
  value: unknown;
}

/** Valid requests with one part, sometimes several, replaced or removed. */
function mutatedPlans(operation: Operation): fc.Arbitrary<Plan> {
  const mutations = fc.oneof(...mutationsOf(operation));
  const one = fc.tuple(mutations);
  const several = fc.array(mutations, { minLength: 2, maxLength: 4 });
  return fc
    .tuple(validPlans(operation), fc.oneof({ weight: 6, arbitrary: one }, { weight: 1, arbitrary: several }))
    .map(([plan, chosen]) =>
      chosen.reduce(
        (mutated, { part, name, value }) => ({ ...mutated, [part]: { ...mutated[part], [name]: value } }),
        plan,
      ),
    );
}

function mutationsOf({ pathNames, query, headers, body }: Operation): fc.Arbitrary<Mutation>[] {
  const of = (
    part: Mutation['part'],
    schemas: Record<string, Schema>,
    value = fieldMutation,
  ): fc.Arbitrary<Mutation>[] =>
    Object.entries(schemas).map(([name, schema]) =>
      fc.record({ part: fc.constant(part), name: fc.constant(name), value: value(schema) }),
    );
  const ids = Object.fromEntries(
    pathNames.map((name) => [name, { minimum: 1, maximum: Number.MAX_SAFE_INTEGER }]),
  );
  const unknown = { unknown: {}, 'per_page[]': {}, 'a[b]': {}, toString: {} };
  return [
    ...of('path', ids, hostile),
    ...of('query', { ...query, ...unknown }),
    ...of('headers', headers),
    ...of('body', body?.properties ?? {}, (schema) =>
      schema.properties
        ? fc.oneof(fieldMutation(schema), nestedMutation(schema.properties))
        : fieldMutation(schema),
    ),
  ];
}

/** Returns replacements of a field's value; undefined: the field is removed. */
const fieldMutation = (schema: Schema): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 6, arbitrary: hostile(schema) }, { weight: 1, arbitrary: fc.constant(undefined) });

/** Returns objects in which one field is replaced or removed. */
const nestedMutation = (schemas: Record<string, Schema>): fc.Arbitrary<unknown> =>
  fc
    .tuple(
      fc.record(fieldsOf('', schemas)),
      fc.oneof(
        ...Object.entries(schemas).map(([name, schema]) => fc.record({ [name]: fieldMutation(schema) })),
      ),
    )
    .map(([whole, mutated]) => ({ ...whole, ...mutated }));

/** Returns valid requests with a body that is not JSON, or is declared as another type. */
const invalidPlans = (operation: Operation): fc.Arbitrary<Plan> =>
  fc.tuple(validPlans(operation), invalidBody).map(([plan, rawBody]) => ({ ...plan, rawBody }));
