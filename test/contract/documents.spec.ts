import { globSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { scripts } from '../../package.json';
import { ERRORS } from '../../src/common/errors/error-catalogue';

/* Checks that the scripts, options, variables and files that documents name exist. */

const files = globSync(['*.md', 'docs/{,api/}*.md']).filter((file) => file !== 'CHANGELOG.md');
const documents = files.map((file) => ({ file, text: readFileSync(file, 'utf8') }));

/** All inline code, with its document. */
const quoted = documents.flatMap(({ file, text }) =>
  Array.from(text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`\n]+)`/g), ([, code = '']) => ({
    file,
    code,
  })),
);

describe('README.md', () => {
  const readme = readFileSync('README.md', 'utf8');

  it('can be read in a few minutes', () => {
    expect(readme.split(/\s+/).filter((word) => word !== '').length).toBeLessThan(900);
  });

  it('has no line over 160 characters', () => {
    const wide = readme.split('\n').filter((line) => line.length > 160);
    expect(wide).toEqual([]);
  });

  it('shows pictures that exist and are small', () => {
    const pictures = Array.from(readme.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g), ([, path = '']) => path);
    expect(pictures.length).toBeGreaterThan(1);
    for (const path of pictures) expect(readFileSync(path).length).toBeLessThan(200_000);
  });
});

describe('The documents name', () => {
  it('npm scripts that exist, with options that they accept', () => {
    const named = documents.flatMap(({ file, text }) =>
      Array.from(
        text.matchAll(/npm run (?:-s )?([\w:]+\w)(?:\*|(?: --((?: [^\s`#)]+)*))?)/g),
        ([all, name = '', args = '']) => ({
          file,
          all,
          name,
          options: args.match(/--[a-z]+/g) ?? [],
        }),
      ),
    );
    expect(named.length).toBeGreaterThan(50);
    const missing = named.filter(({ name, all }) => !(name in scripts) && !all.endsWith('*'));
    expect(missing).toEqual([]);
    const odd = named.flatMap(({ file, name, options }) => {
      const [, script] = /dist\/([\w/-]+)\.js/.exec((scripts as Record<string, string>)[name] ?? '') ?? [];
      if (script === undefined || options.length === 0) return [];
      const usage = readFileSync(`${script}.ts`, 'utf8');
      return options
        .filter((option) => option !== '--help' && !usage.includes(option))
        .map((option) => `${file}: ${name} ${option}`);
    });
    expect(odd).toEqual([]);
  });

  it('variables that exist', () => {
    const known = new Set(
      Array.from(readFileSync('.env.example', 'utf8').matchAll(/^#?([A-Z_0-9]+)=/gm), ([, name]) => name),
    );
    const ofTests = [
      'TEST_MYSQL_URL',
      'TEST_SEED',
      'TEST_WAIT_MS',
      'PLAYWRIGHT_JSON_OUTPUT_FILE',
      'BENCH_DATABASE_URL',
    ];
    const ofMariadb = ['AFTER_SYNC', 'GET_LOCK'];
    const ofLivekit =
      'CLIENT_INITIATED PARTICIPANT_REMOVED ROOM_DELETED ROOM_CLOSED CONNECTION_TIMEOUT SIGNAL_CLOSE MIGRATION';
    const others = new Set([
      ...ofTests,
      ...ofMariadb,
      ...ofLivekit.split(' '),
      'AWS_ACCESS_KEY_ID',
      'AWS_SECRET_ACCESS_KEY',
      'NODE_OPTIONS',
      'OTEL_TRACES_SAMPLER',
      'NODE_EXTRA_CA_CERTS',
      'CERT_HAS_EXPIRED',
    ]);
    const isNoVariable = (name: string): boolean =>
      name in ERRORS || /^(ER|SQLITE)_/.test(name) || name === 'AUTO_INCREMENT';
    const unknown = quoted
      .flatMap(({ file, code }) =>
        Array.from(code.matchAll(/^([A-Z][A-Z0-9]*_[A-Z0-9_]+)(?:$|=)/g), ([, name = '']) => ({
          file,
          name,
        })),
      )
      .filter(({ name }) => !known.has(name) && !others.has(name) && !isNoVariable(name));
    expect(unknown).toEqual([]);
  });

  it('files that exist, by full path or suffix', () => {
    const all = globSync('**/*', {
      exclude: (name) => /(?:^|\/)(?:node_modules|dist|\.git|data)$/.test(name),
    });
    const paths = new Set(
      all.flatMap((path) => path.split('/').map((_, at, parts) => parts.slice(at).join('/'))),
    );
    const strays = quoted
      // A path with a leading slash belongs to a URL.
      .filter(({ code }) => /^[\w.-][\w./-]*\.(?:ts|js|mjs|json|md|sql|conf|yaml)$/.test(code))
      .filter(({ code }) => !code.startsWith('dist/') && !/^(secrets|figures)\.json$/.test(basename(code)))
      .filter(({ file, code }) => !paths.has(code) && !all.includes(`${dirname(file)}/${code}`));
    expect(strays).toEqual([]);
  });
});
