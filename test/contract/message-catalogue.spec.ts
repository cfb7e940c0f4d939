import { globSync, readFileSync } from 'node:fs';

/** Files with Chinese texts that are in no message catalogue. */
const ALLOWED_FILES = new Set([
  // The catalogues themselves.
  'src/common/i18n/zh-cn.ts',
  'src/common/i18n/zh-cn-texts.ts',
  'src/common/errors/error-catalogue.ts',
  // Examples in the OpenAPI document.
  'src/openapi/common-fields.ts',
  'src/openapi/envelope-schemas.ts',
]);

const HAN = /\p{Script=Han}/u;
/** Whole bodies, as the OpenAPI document shows them. */
const EXAMPLES = /@RequestExample\([\s\S]*?\)\n/g;
const COMMENTS = /\/\*[\s\S]*?\*\/|\/\/.*$/gm;
const LITERALS = /'[^'\n]*'|"[^"\n]*"|`[^`]*`/g;

describe('Chinese texts of the service', () => {
  it('exist only in the message catalogues', () => {
    const files = globSync('src/**/*.ts').filter(
      // The demo data.
      (file) => !file.endsWith('.spec.ts') && !file.startsWith('src/demo/') && !ALLOWED_FILES.has(file),
    );
    expect(files.length).toBeGreaterThan(200);
    const strays = files.flatMap((file) =>
      (readFileSync(file, 'utf8').replaceAll(COMMENTS, '').replaceAll(EXAMPLES, '').match(LITERALS) ?? [])
        .filter((literal) => HAN.test(literal))
        .map((literal) => `${file}: ${literal}`),
    );
    expect(strays).toEqual([]);
  });
});
