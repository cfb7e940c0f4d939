import { globSync, readFileSync } from 'node:fs';

const HAN = /\p{Script=Han}/u;

const HALF_WIDTH = /\p{Script=Han}[,:?!;(]/u;
/** An example of a CSV file, which has half-width commas. */
const CSV_EXAMPLE = /serial_no,name/;

const linesThat = (files: readonly string[], isWrong: (line: string) => boolean): string[] =>
  files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, index) => (isWrong(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
  );

describe('The sources of the pages', () => {
  it('contain Han characters in their i18n folders only', () => {
    const files = globSync('web/src/**/*.{ts,tsx,css}').filter((file) => !file.includes('/i18n/'));
    expect(files.length).toBeGreaterThan(250);
    const strays = linesThat(files, (line) => HAN.test(line));
    expect(strays).toEqual([]);
  });

  it('have full-width punctuation after Han characters', () => {
    const files = globSync('web/src/**/i18n/**/*.ts');
    expect(files.length).toBeGreaterThan(40);
    const strays = linesThat(files, (line) => HALF_WIDTH.test(line) && !CSV_EXAMPLE.test(line));
    expect(strays).toEqual([]);
  });

  it('have full-width punctuation after a value, in Chinese', () => {
    const strays = linesThat(globSync('web/src/**/i18n/zh-cn/**/*.ts'), (line) => /\}\}[,:;?!]/.test(line));
    expect(strays).toEqual([]);
  });
});
