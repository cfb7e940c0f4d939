import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';

/** A body as bytes, with its headers. */
export interface RawBody {
  bytes: Buffer;
  headers: Record<string, string>;
}

const MEBIBYTE = 1024 * 1024;

const BROKEN = [
  '',
  ' ',
  '{',
  '{"a":1}}',
  "{'a':1}",
  '{"a":NaN}',
  '{"a":1e999}',
  '{"a":01}',
  '{"a":"\\ud800"}',
  '{"a":"\u0000"}',
  '{"a":1,"a":2}',
  '{"__proto__":null,"a":1}',
  '\uFEFF{}',
  '// {}',
  'null',
  'true',
  '7',
  '"text"',
  '[]',
  '[{}]',
  'a=1&b=2',
  '<a/>',
].map((text) => Buffer.from(text));

const NOT_UTF8 = [
  Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]),
  Buffer.from('{"a":1}', 'utf16le'),
  Buffer.from([0xef, 0xbb, 0xbf]),
  Buffer.from([0x00]),
];

/** Returns a body with a field that is nested too deeply for a recursive function. */
const nestedIn = (name: string): Buffer =>
  Buffer.from(`{"type":"text","content":"x","${name}":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`);

const LARGE = [
  () => Buffer.from(`{"pad":"${'x'.repeat(MEBIBYTE)}"}`),
  () => Buffer.alloc(MEBIBYTE + 1, ' '),
  () => nestedIn('pad'),
  () => nestedIn('extra'),
  () => nestedIn('terminal_id'),
  () => nestedIn('user_ids'),
  () => Buffer.from(`{${'"a":{'.repeat(20_000)}${'}'.repeat(20_000)}}`),
];

const JSON_TYPE = { 'Content-Type': 'application/json' };

const TYPES = [
  '',
  'application/json; charset=utf-16',
  'application/merge-patch+json',
  'APPLICATION/JSON;',
  'text/plain',
  'text/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/xml',
  ';;;',
  'json',
  'application/json, text/plain',
  `application/json; ${'x'.repeat(2_000)}`,
];

const withHeaders =
  (headers: Record<string, string>) =>
  (bytes: Buffer): RawBody => ({ bytes, headers });

/** Bodies that are not JSON in UTF-8 of at most 1 MiB, or are declared as another type. */
export const invalidBody: fc.Arbitrary<RawBody> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...BROKEN, ...NOT_UTF8).map(withHeaders(JSON_TYPE)) },
  {
    weight: 3,
    arbitrary: fc
      .string({ unit: 'binary' })
      .map((text) => Buffer.from(text))
      .map(withHeaders(JSON_TYPE)),
  },
  { weight: 1, arbitrary: fc.constantFrom(...LARGE).map((make) => withHeaders(JSON_TYPE)(make())) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom('{}', '{"a":1}', ''), fc.constantFrom(...TYPES))
      .map(([text, type]) => withHeaders(type === '' ? {} : { 'Content-Type': type })(Buffer.from(text))),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('gzip', 'br', 'identity', 'nonsense')
      .map((encoding) => withHeaders({ ...JSON_TYPE, 'Content-Encoding': encoding })(gzipSync('{}'))),
  },
);

const CSV_TYPE = { 'Content-Type': 'text/csv' };

/** A cell, mostly with a value that its column allows. */
const cell = (column: string): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...(CELLS[column] ?? [''])) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
  );

const CELLS: Record<string, string[]> = {
  serial_no: Array.from({ length: 50 }, (_, index) => `SN-${index}`),
  name: ['Door', '门口机', '"say ""hi"", friend"', '=1+1', '"two\nlines"', ''],
  status: ['0', '1', '', '2', 'yes'],
  group_ids: ['', '1', '1|2', '3|x', '999999999'],
};

/** Returns CSV files with this header, most of them valid. */
export const csvBody = (header: string): fc.Arbitrary<RawBody> => {
  const line = fc.tuple(...header.split(',').map(cell)).map((cells) => cells.join(','));
  const file = fc
    .tuple(fc.constantFrom('', '\uFEFF'), fc.constantFrom('\n', '\r\n'), fc.array(line, { maxLength: 20 }))
    .map(([mark, end, lines]) => mark + [header, ...lines].join(end));
  return fc
    .oneof(
      { weight: 12, arbitrary: file.map((text) => Buffer.from(text)) },
      { weight: 1, arbitrary: fc.constantFrom(...BROKEN, ...NOT_UTF8) },
      { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
    )
    .map(withHeaders(CSV_TYPE));
};
