import * as fc from 'fast-check';

/* Bodies of up to 1 MiB that are as expensive to parse as possible. */

/** Maximum size of a body (API 1.2). */
export const MEBIBYTE = 1024 * 1024;

/** Repeats a text until it fills a mebibyte, less `reserved` bytes. */
const filling = (unit: string, separator = '', reserved = 2_000): string =>
  Array.from(
    { length: Math.floor((MEBIBYTE - reserved) / (unit.length + separator.length)) },
    () => unit,
  ).join(separator);

const numbered = (count: number, write: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => write(index)).join(',');

const nested = (depth: number, open: string, close: string): string =>
  `${open.repeat(depth)}1${close.repeat(depth)}`;

/** JSON values, and truncated JSON, by their peculiarity. */
export const ODD_VALUES: Record<string, string> = {
  'an object of 80,000 keys': `{${numbered(80_000, (index) => `"k${index}":1`)}}`,
  'an object of keys that are numbers': `{${numbered(60_000, (index) => `"${index * 1024}":1`)}}`,
  'an object of one key many times': `{${filling('"a":1', ',')}}`,
  'an object of 9,000 keys': `{${numbered(9_000, (index) => `"k${index}":1`)}}`,
  'an object of long keys': `{${numbered(9_000, (index) => `"${'x'.repeat(90)}${index}":1`)}}`,
  'arrays 500,000 deep': nested(500_000, '[', ']'),
  'arrays that nobody closes': filling('['),
  'objects 150,000 deep': nested(150_000, '{"a":', '}'),
  'objects 60 deep, many times': `[${numbered(150, () => nested(60, '{"a":', '}'))}]`,
  'an array of objects': `[${filling('{}', ',')}]`,
  'an array of arrays': `[${filling('[]', ',')}]`,
  'an array of numbers': `[${filling('7', ',')}]`,
  'an array of 19,000 numbers': `[${numbered(19_000, (index) => String(index + 1))}]`,
  'an array of 19,000 texts': `[${numbered(19_000, (index) => `"${index}"`)}]`,
  'an array of nulls': `[${numbered(19_000, () => 'null')}]`,
  'an array of 9,000 objects': `[${numbered(9_000, () => '{}')}]`,
  'a long text': `"${filling('x')}"`,
  'a long text of spaces': `"${filling('　')}"`.slice(0, 300_000) + '"',
  'a long text of escapes': `"${filling('\\u0041')}"`,
  'a long text of quotes': `"${filling('\\"')}"`,
  'a long text of backslashes': `"${filling('\\\\')}"`,
  'a long text of halves of pairs': `"${filling('\\ud800')}"`,
  'a long text that breaks off': `"${filling('\\\\')}`,
  'a long number': filling('7'),
  'a long fraction': `0.${filling('3')}`,
  'a long URL': `"https://x.test/${filling('%20')}"`,
  'long white space': `${filling(' ')}1`,
};

/** Generates random nested values from a seed. */
export function drawnValues(seed: number, count: number): string[] {
  const { value } = fc.letrec<{ value: string }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom('1', '-0', '1e999', 'null', '""', '{}', '[]', '"\\u0000"', '"x"', '"__proto__"'),
      fc
        .tuple(fc.constantFrom('"a"', '"__proto__"', '"constructor"'), tie('value'))
        .map(([k, v]) => `{${k}:${v}}`),
      tie('value').map((inner) => `[${inner}]`),
      fc.tuple(tie('value'), tie('value')).map(([a, b]) => `[${a},${b}]`),
    ),
  }));
  const many = fc
    .tuple(value, fc.constantFrom('list', 'object', 'deep'), fc.constantFrom('few', 'all'))
    .map(([unit, kind, amount]) => {
      const tokens = unit.match(/[[{"]|[\w.-]+/g)?.length ?? 1;
      const count = Math.max(
        1,
        amount === 'few' ? Math.floor(18_000 / (tokens + 1)) : Math.floor(900_000 / (unit.length + 12)),
      );
      if (kind === 'list') return `[${numbered(count, () => unit)}]`;
      if (kind === 'object') return `{${numbered(count, (index) => `"${index}x":${unit}`)}}`;
      return `${`[${unit},`.repeat(count)}1${']'.repeat(count)}`;
    });
  return fc.sample(many, { seed, numRuns: count });
}
