import { splitUserRows } from '../../src/admin/parts/import/split-rows';

const REQUEST = 500;

const file = (...lines: [externalId: string, account: string, hasExtraCells?: boolean][]) => ({
  columns: ['account', 'external_id'],
  rows: lines.map(([externalId, account, hasExtraCells = false], index) => ({
    line: index + 2,
    cells: [account, externalId],
    hasExtraCells,
  })),
});

const wrongOf = (...lines: Parameters<typeof file>): unknown[] =>
  splitUserRows(file(...lines)).wrong.map(({ line, problem, firstLine }) => [line, problem, firstLine]);

describe('Lines of a user import', () => {
  it('have an error if an earlier line has the account, also one that another request sends', () => {
    const others = Array.from({ length: REQUEST }, (_, index): [string, string] => [`id-${index}`, '']);
    const { valid, wrong } = splitUserRows(file(['first', 'carol'], ...others, ['last', 'carol']));
    expect(wrong).toEqual([{ line: 503, problem: 'sameAccount', firstLine: 2 }]);
    expect(valid).toHaveLength(501);
  });

  it.each([
    ['CAROL', 'carol'],
    ['straße', 'STRASSE'],
    ['ΟΔΟΣ', 'οδος'],
    ['Jose\u0301', 'JOSÉ'],
  ])('have the same account for %p and %p, as in the service', (account, repeated) => {
    expect(wrongOf(['1', account], ['2', repeated])).toEqual([[3, 'sameAccount', 2]]);
  });

  it('may have accounts that differ in accents or blanks', () => {
    expect(wrongOf(['1', 'jose'], ['2', 'josé'], ['3', ' jose'])).toEqual([]);
  });

  it('have an error if an earlier line has the external id, in the same case', () => {
    expect(wrongOf(['1', ''], ['a', ''], ['A', ''], ['1', 'carol'], ['', ''], ['', ''])).toEqual([
      [5, 'sameKey', 2],
    ]);
  });

  it('may have the account of a line that is not sent', () => {
    expect(wrongOf(['1', 'carol', true], ['2', ''], ['2', 'carol'], ['3', 'carol'])).toEqual([
      [2, 'cells', undefined],
      [4, 'sameKey', 3],
    ]);
  });
});
