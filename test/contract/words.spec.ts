import { globSync, readFileSync } from 'node:fs';
import { MESSAGE_KEYS } from '../../src/common/i18n/catalogue';

/** What people read in Chinese and the catalogues of messages do not hold. */
const ELSEWHERE = new Set([
  // The catalogues themselves.
  'src/common/i18n/zh-cn.ts',
  'src/common/errors/error-catalogue.ts',
  // They are what the examples of the OpenAPI document are about.
  'src/openapi/common-fields.ts',
]);

const HAN = /\p{Script=Han}/u;
/** Whole bodies, as the OpenAPI document shows them. */
const EXAMPLES = /@RequestExample\([\s\S]*?\)\n/g;
const COMMENTS = /\/\*[\s\S]*?\*\/|\/\/.*$/gm;
const LITERALS = /'[^'\n]*'|"[^"\n]*"|`[^`]*`/g;

describe('What the service says to people', () => {
  it('stands in the catalogues, so that it is said in each language', () => {
    const files = globSync('src/**/*.ts').filter(
      // The demo's people and places are made up, and so is what they say.
      (file) => !file.endsWith('.spec.ts') && !file.startsWith('src/demo/') && !ELSEWHERE.has(file),
    );
    expect(files.length).toBeGreaterThan(200);
    const strays = files.flatMap((file) =>
      (readFileSync(file, 'utf8').replaceAll(COMMENTS, '').replaceAll(EXAMPLES, '').match(LITERALS) ?? [])
        .filter(
          (literal) =>
            HAN.test(literal) && !(MESSAGE_KEYS as readonly string[]).includes(literal.slice(1, -1)),
        )
        .map((literal) => `${file}: ${literal}`),
    );
    expect(strays).toEqual([]);
  });
});
