import { globSync, readFileSync } from 'node:fs';
import { isOlder } from './node-version';

describe('Node version check', () => {
  it.each([
    ['20.20.2', '22.13', true],
    ['22.12.9', '22.13', true],
    ['22.13.0', '22.13', false],
    ['22.14.1', '22.13', false],
    ['24.1.0', '22.13', false],
    ['9.30.0', '22.13', true],
  ])('compares %s with the minimum %s: %s', (version, least, tooOld) => {
    expect(isOlder(version, least)).toBe(tooOld);
  });

  it('is imported first by every file that can be started', () => {
    const entries = globSync(['src/main.ts', '{scripts,bench,test/fuzz}/**/*.ts'])
      .map((file) => ({ file, text: readFileSync(file, 'utf8') }))
      .filter(({ text }) => /^(?:main\(\)|runScript\(main\)|const file = process\.argv)/m.test(text));
    expect(entries.length).toBeGreaterThan(10);
    const late = entries.filter(({ text }) => !/^import '[./]*(?:src\/)?node-version';\n/.test(text));
    expect(late.map(({ file }) => file)).toEqual([]);
  });
});
