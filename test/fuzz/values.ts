import * as fc from 'fast-check';
import type { Schema } from './document';
import { EXAMPLES, kindOfField } from './names';
import { Reference } from './known-objects';

/* Values of fields: allowed by the schema, including boundaries, and others. */

const LONG = 100_000;

/** Valid texts that careless code handles wrongly. */
const TRICKY_TEXTS = [
  `'; DROP TABLE users; --`,
  `" OR 1=1 --`,
  '\\',
  `\\' OR ''='`,
  '%',
  '_',
  '%_%',
  '../../../etc/passwd',
  '..\\..\\windows',
  '/dev/null',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'null',
  'undefined',
  'NaN',
  '0',
  '-1',
  '1e309',
  '${7*7}',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '\u202Egnp.exe',
  'שלום',
  '👩‍👩‍👧‍👦',
  'é',
  'e\u0301',
  'İi̇ıI',
  'ﬁ',
  'ẞß',
  '\u{1F468}\u{1F3FF}',
  '\u200B',
  '\uFEFF',
  'a\r\nb',
  'a\tb',
  '\u2028',
  '\u007F',
  '😀'.repeat(8),
];

/** Values that most fields reject. */
const WRONG: unknown[] = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  1.5,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53,
  -(2 ** 53),
  1e308,
  5e-324,
  '',
  ' ',
  '\u3000',
  '\0',
  'a\0b',
  '\uD800',
  'a\uDC00',
  '１２',
  '0x10',
  '1e3',
  ' 1',
  '+1',
  '01',
  [],
  {},
  [[]],
  [null],
  [1, 1, 1],
  [0],
  ['1'],
  [{ id: 1 }],
  { $ne: null },
  { length: 1 },
  { toString: 1 },
  JSON.parse('{"__proto__": {"isAdmin": true}}'),
  JSON.parse('{"constructor": {"prototype": {"x": 1}}}'),
];

/** Uniformly distributed from 0 to below 1: most of fast-check's doubles are close to 0. */
export const fraction: fc.Arbitrary<number> = fc.noBias(fc.nat(9_999)).map((n) => n / 10_000);

const tricky: fc.Arbitrary<string> = fc.constantFrom(...TRICKY_TEXTS);
const longText = fc.constantFrom('x', '😀', '\u0301', '"', '\\').map((unit) => unit.repeat(LONG));
const manyIds = fc
  .constantFrom(500, 501, 10_000)
  .map((length) => Array.from({ length }, (_, index) => index + 1));
const deep = fc
  .constantFrom(100, 2_000)
  .map((depth) => JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as unknown);

/** Returns values that mostly violate the schema. */
export function hostile({ maxLength, maximum, minimum }: Schema = {}): fc.Arbitrary<unknown> {
  const beyond = [
    ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1), '😀'.repeat(maxLength + 1)]),
    ...(maximum === undefined ? [] : [maximum + 1]),
    ...(minimum === undefined ? [] : [minimum - 1]),
  ];
  return fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...WRONG, ...beyond) },
    { weight: 3, arbitrary: tricky },
    { weight: 2, arbitrary: fc.string({ unit: 'binary' }) },
    { weight: 2, arbitrary: fc.jsonValue() },
    { weight: 1, arbitrary: fc.oneof(longText, manyIds, deep) },
  );
}

/** Returns values that a schema allows. The name of the field determines references to objects. */
export function valid(path: string, name: string, schema: Schema): fc.Arbitrary<unknown> {
  const kind = kindOfField(path, name);
  const value =
    kind === undefined ? plain(path, name, schema) : fraction.map((pick) => new Reference(kind, pick));
  if ([schema.type].flat()[0] === 'array') {
    const items = kind === undefined ? plain(path, name, schema.items ?? {}) : value;
    return fc.array(items, { minLength: 1, maxLength: 5 });
  }
  return isNullable(schema) ? fc.option(value, { freq: 6 }) : value;
}

const isNullable = ({ type, oneOf = [] }: Schema): boolean =>
  Array.isArray(type) || oneOf.some((part) => part.type === 'null');

function plain(path: string, name: string, schema: Schema): fc.Arbitrary<unknown> {
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum.filter((value) => value !== null));
  if (type === 'integer') return integer(schema);
  if (type === 'boolean') return fc.boolean();
  if (type === 'object' && schema.properties) return object(path, schema);
  if (type === 'object')
    return fc.dictionary(text({ maxLength: 20 }), fc.oneof(text({ maxLength: 50 }), fc.nat()), {
      maxKeys: 4,
    });
  if (schema.format === 'uri') return uri;
  if (schema.format === 'date-time') return dateTime;
  return EXAMPLES[name] ? fc.oneof(fc.constantFrom(...EXAMPLES[name]), text(schema)) : text(schema);
}

function integer({ minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: Schema): fc.Arbitrary<number> {
  const small = fc.integer({ min: minimum, max: Math.min(maximum, minimum + 20) });
  return fc.oneof(
    { weight: 5, arbitrary: small },
    { weight: 1, arbitrary: fc.constantFrom(minimum, maximum) },
  );
}

function text({ minLength = 1, maxLength = 100 }: Schema): fc.Arbitrary<string> {
  const fits = TRICKY_TEXTS.filter((text) => Array.from(text).length <= maxLength && text.trim() !== '');
  return fc
    .oneof(
      { weight: 4, arbitrary: fc.string({ unit: 'grapheme-composite', maxLength }) },
      { weight: 3, arbitrary: fc.constantFrom(...fits) },
      { weight: 1, arbitrary: fc.constantFrom('x', '😀', '漢').map((unit) => unit.repeat(maxLength)) },
    )
    .map((text) => (text.trim() === '' ? 'blank' : text))
    .map((text) => text.padEnd(minLength, 'p'));
}

const uri = fc.oneof(
  fc.constantFrom('https://pictures.example/a.png', 'HTTP://例え.example/ü?q=%00#f', 'http://[::1]:80/'),
  fc.webUrl({ withQueryParameters: true }),
);

const dateTime = fc.oneof(
  fc.constantFrom('2030-01-01T00:00:00Z', '2028-02-29T23:59:59.999+14:00', '9999-12-31T23:59:59.999Z'),
  fc
    .date({ min: new Date('1970-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString()),
);

/** Returns objects with every required field and, mostly, many of the others. */
export function object(
  path: string,
  { properties = {}, required = [] }: Schema,
): fc.Arbitrary<Record<string, unknown>> {
  const fields = fieldsOf(path, properties);
  return fc.oneof(fc.record(fields), fc.record(fields, { requiredKeys: required }));
}

/** Returns few of the optional parameters, because many filters together match no object. */
export function few(path: string, schemas: Record<string, Schema>): fc.Arbitrary<Record<string, unknown>> {
  const fields = fieldsOf(path, schemas);
  const names = Object.keys(fields);
  return fc
    .oneof(
      { weight: 6, arbitrary: fc.subarray(names, { maxLength: Math.min(2, names.length) }) },
      { weight: 1, arbitrary: fc.constant(names) },
    )
    .chain((chosen) =>
      fc.record(Object.fromEntries(chosen.map((name) => [name, fields[name] ?? fc.constant(undefined)]))),
    );
}

export const fieldsOf = (
  path: string,
  schemas: Record<string, Schema>,
): Record<string, fc.Arbitrary<unknown>> =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, valid(path, name, schema)]));
