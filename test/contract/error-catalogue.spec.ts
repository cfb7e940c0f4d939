import { readFileSync } from 'node:fs';
import { ERRORS, type ErrorSpec } from '../../src/common/errors/error-catalogue';

const COLUMNS = /^\| (\d+) +\| (\d+) +\| `(\w+)` +\| ([^|]+?) +\|/;

function documentedErrors(): Record<string, ErrorSpec> {
  const lines = readFileSync('docs/errors.md', 'utf8').split('\n');
  const rows = lines.flatMap((line) => {
    const [, code, status, key, message] = COLUMNS.exec(line) ?? [];
    return key ? [[key, { code: Number(code), status: Number(status), message }] as const] : [];
  });
  return Object.fromEntries(rows) as Record<string, ErrorSpec>;
}

describe('The error catalogue', () => {
  it('is documented row by row, without extra rows', () => {
    expect(documentedErrors()).toEqual(ERRORS);
  });

  it('gives each business code one meaning', () => {
    const codes = Object.values(ERRORS)
      .map(({ code }) => code)
      .filter((code) => code > 1000);
    expect(new Set(codes).size).toBe(codes.length);
  });

  it.each(Object.entries(ERRORS))('%s carries an HTTP status that fits its code', (_, { code, status }) => {
    const forbidden = [41004, 41005, 41010];
    expect(status).toBe(code < 1000 ? code : forbidden.includes(code) ? 403 : 409);
  });
});
