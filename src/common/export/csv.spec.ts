import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { propertyRuns } from '../../../test/support/property-runs';
import { csvHead, csvLines, unescapeCell } from './csv';

const csvLine = (columns: string[], row: object): string => csvLines(columns, [row]);

describe('CSV', () => {
  it('starts with a BOM and the column names', () => {
    expect(csvHead(['id', 'caller.id'])).toBe('\uFEFFid,caller.id\r\n');
  });

  it('contains nested fields by dotted name, objects as JSON, and null or missing values as empty cells', () => {
    const row = { id: 1, caller: { id: 7, name: '李雷' }, data: { a: [1] }, ok: false, none: null };
    expect(
      csvLine(['id', 'caller.id', 'caller.name', 'data', 'ok', 'none', 'caller.x.y', 'other'], row),
    ).toBe('1,7,李雷,"{""a"":[1]}",false,,,\r\n');
  });

  it('contains dates in the format of JSON', () => {
    expect(csvLine(['at', 'id'], { at: new Date(Date.UTC(2026, 0, 31, 8)), id: 1 })).toBe(
      '2026-01-31T08:00:00.000Z,1\r\n',
    );
  });

  it('contains one line per row', () => {
    expect(csvLines(['id', 'name'], [{ id: 1, name: 'a' }, { id: 2 }])).toBe('1,a\r\n2,\r\n');
    expect(csvLines(['id'], [])).toBe('');
  });

  it('ignores inherited fields', () => {
    expect(csvLine(['constructor', 'a.length'], { a: 'abc' })).toBe(',\r\n');
  });

  it.each([
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\r\nlines', '"two\r\nlines"'],
    ['two\nlines', '"two\nlines"'],
    [' spaces ', ' spaces '],
    ['', ''],
  ])('quotes %j according to RFC 4180', (text, cell) => {
    expect(csvLine(['text'], { text })).toBe(`${cell}\r\n`);
  });

  it.each([
    ['=1+2', "'=1+2"],
    ['+49', "'+49"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t'=1"],
    ['\r=1', `"'\r'=1"`],
    ['\n=1', `"'\n'=1"`],
    ['\n1', `"'\n1"`],
    ['＝1+2', "'＝1+2"],
    ['＋49', "'＋49"],
    ['－1', "'－1"],
    ['＠SUM(A1)', "'＠SUM(A1)"],
    ['a;=1+2', "a;'=1+2"],
    ['a;＝1+2;-3', "a;'＝1+2;'-3"],
    ['a\n@b', `"a\n'@b"`],
    ['a;b - c', 'a;b - c'],
    ['=HYPERLINK("x","y")', '"\'=HYPERLINK(""x"",""y"")"'],
    ['a=1', 'a=1'],
    ["'=1+2", "''=1+2"],
    ["a;'=1", "a;''=1"],
    ["'a", "'a"],
  ])('prevents formulas in %j', (text, cell) => {
    expect(csvLine(['text'], { text })).toBe(`${cell}\r\n`);
  });

  it('returns the same text after parsing', () => {
    const unit = fc.constantFrom("'", '=', '-', '\uFF20', ';', '\t', '\r', '\n', '"', ',', 'a');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 8 }), (text) => {
        const options = { record_delimiter: '\r\n', skip_empty_lines: false };
        const [[cell = ''] = []] = parse(csvLine(['text', 'end'], { text, end: 1 }), options);
        expect(unescapeCell(cell)).toBe(text);
      }),
      propertyRuns(1_000),
    );
  });
});
