import { foldCase } from '../fold-case.js';

/** A line of a file. */
interface Row {
  line: number;
  cells: readonly string[];
  /** Whether the line has more cells than the header. */
  hasExtraCells: boolean;
}

/** An error that the page finds in a line itself. */
interface RowProblem {
  problem: 'cells' | 'sameKey' | 'sameAccount';
  /** Earlier line that has the same value. */
  firstLine?: number;
}

/** Returns the number of the first line of each value of a column. A missing cell is an empty value. */
export const findFirstLines = (
  rows: readonly Pick<Row, 'line' | 'cells'>[],
  column: number,
): Map<string, number> =>
  new Map(rows.toReversed().map(({ line, cells }) => [cells[column] ?? '', line] as const));

/**
 * Separates the lines of a file of users that the service cannot check because it sees one request at a time: lines with
 * too many cells, and lines with the external id or the account of an earlier line. The account of a line that is not sent
 * is free. Accounts are compared as in the service, without case.
 */
export function splitUserRows<T extends Row>({
  columns,
  rows,
}: {
  columns: readonly string[];
  rows: readonly T[];
}): {
  valid: T[];
  wrong: ({ line: number } & RowProblem)[];
} {
  const idColumn = columns.indexOf('external_id');
  const accountColumn = columns.indexOf('account');
  const idLines = findFirstLines(rows, idColumn);
  const accountLines = new Map<string, number>();
  const findProblem = ({ line, cells, hasExtraCells }: Row): RowProblem | undefined => {
    if (hasExtraCells) return { problem: 'cells' };
    const id = cells[idColumn] ?? '';
    const idLine = idLines.get(id) ?? line;
    if (id !== '' && idLine < line) return { problem: 'sameKey', firstLine: idLine };
    const account = foldCase(cells[accountColumn] ?? '');
    const accountLine = accountLines.get(account);
    if (accountLine !== undefined) return { problem: 'sameAccount', firstLine: accountLine };
    if (account !== '') accountLines.set(account, line);
    return undefined;
  };
  const valid: T[] = [];
  const wrong: ({ line: number } & RowProblem)[] = [];
  for (const row of rows) {
    const problem = findProblem(row);
    if (problem === undefined) valid.push(row);
    else wrong.push({ line: row.line, ...problem });
  }
  return { valid, wrong };
}
