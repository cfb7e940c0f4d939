import { parseCsv } from '../../src/admin/parts/import/parse-csv';

describe('parseCsv', () => {
  it('returns the records of a file that follows RFC 4180, with their line numbers', () => {
    expect(parseCsv('a,b\r\n"1\r\n2","say ""hi"""\n\n,\nlast,')).toEqual([
      { line: 1, cells: ['a', 'b'] },
      { line: 2, cells: ['1\n2', 'say "hi"'] },
      { line: 5, cells: ['', ''] },
      { line: 6, cells: ['last', ''] },
    ]);
    expect(parseCsv('')).toEqual([]);
  });

  it('returns the line of a malformed record', () => {
    expect(parseCsv('a\nb"c')).toEqual({ malformedLine: 2 });
  });
});
