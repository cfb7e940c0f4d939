/** A record of a CSV file, and the number of the line in which it starts. */
export interface CsvRecord {
  line: number;
  cells: string[];
}

/** A cell as in RFC 4180: quoted, with doubled quotes inside, or unquoted. */
const CELL = /(?:"([^"]*(?:""[^"]*)*)"|([^",\n]*))(,|\n|$)/y;

/**
 * Returns the records of a CSV file without empty lines.
 *
 * @returns the number of the line with malformed quotes, if there is one
 */
export function parseCsv(text: string): CsvRecord[] | { malformedLine: number } {
  const source = text.replaceAll(/\r\n?/g, '\n');
  const records: CsvRecord[] = [];
  let line = 1;
  let startLine = 1;
  let cells: string[] = [];
  for (let at = 0; at < source.length;) {
    CELL.lastIndex = at;
    const [whole, quoted, plain = '', end] = CELL.exec(source) ?? [];
    if (whole === undefined) return { malformedLine: line };
    cells.push(quoted?.replaceAll('""', '"') ?? plain);
    at += whole.length;
    line += whole.split('\n').length - 1;
    if (end === ',' && at < source.length) continue;
    if (end === ',') cells.push('');
    if (cells.some((cell) => cell !== '') || cells.length > 1) records.push({ line: startLine, cells });
    cells = [];
    startLine = line;
  }
  return records;
}
