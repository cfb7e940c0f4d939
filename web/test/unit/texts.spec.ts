import { globSync, readFileSync } from 'node:fs';

const HAN = /\p{Script=Han}/u;

const HALF_WIDTH = /\p{Script=Han}[,:?!;(]/u;
/** An example of a CSV file, which has half-width commas. */
const CSV_EXAMPLE = /(serial_no|account),name/;

/** Texts about files that are larger than the maximum, and about periods of at least seven days. */
const ALWAYS_MANY = /^\s*too(Large|ManyLines):|\{\{count\}\} days/;

const linesThat = (files: readonly string[], isWrong: (line: string) => boolean): string[] =>
  files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, index) => (isWrong(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
  );

describe('The sources of the web app', () => {
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

  it('have a singular in English for each plural after a number', () => {
    const isPlural = (line: string): boolean =>
      /(?<!of )\{\{(affected|count|lines|number|total)\}\} \p{Letter}+s\b/u.test(line) &&
      !/^\s*\w+_(one|other):/.test(line) &&
      !ALWAYS_MANY.test(line);
    const texts = globSync('web/src/**/i18n/en/**/*.ts').flatMap((file) =>
      // A long text is on the line after its key.
      readFileSync(file, 'utf8')
        .replaceAll(/:\n\s+'/g, ": '")
        .split('\n'),
    );
    expect(texts.filter(isPlural)).toEqual([]);
  });
});
