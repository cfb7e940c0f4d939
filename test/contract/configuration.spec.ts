import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { loadConfig } from '../../src/config/config';
import { ConfigError } from '../../src/config/env-reader';
import { shellBlocks } from '../support/shell-blocks';

/** Environments with which the configuration reads every variable. */
const ENVIRONMENTS = ['development', 'test', 'production'].flatMap((NODE_ENV) =>
  ['webrtc', 'agora', 'livekit'].flatMap((MEDIA_PROVIDER) =>
    ['sqlite:./file', 'mysql://user:password@host/database'].map((DATABASE_URL) => ({
      NODE_ENV,
      MEDIA_PROVIDER,
      DATABASE_URL,
    })),
  ),
);

/** Returns the names of variables that `loadConfig` reads. */
function namesReadFrom(given: NodeJS.ProcessEnv): string[] {
  const names = new Set<string>();
  const env = new Proxy(given, {
    get: (target, name) => {
      names.add(String(name));
      return target[String(name)];
    },
  });
  try {
    loadConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
  }
  return [...names];
}

const ROW = /^\| `([A-Z][A-Z0-9_]+)` +\| (?:`([^`]+)`|–) +\| \S/gm;

describe('The configuration', () => {
  const read = [...new Set(ENVIRONMENTS.flatMap(namesReadFrom))].toSorted();
  const example = parseEnv(
    readFileSync('.env.example', 'utf8').replaceAll(/^#(?=[A-Z][A-Z0-9_]+=)/gm, ''),
  ) as Record<string, string>;
  const table = Array.from(
    readFileSync('docs/configuration.md', 'utf8').matchAll(ROW),
    ([, name = '', fallback = '']) => [name, fallback] as const,
  );

  it('has every variable in .env.example', () => {
    expect(read.length).toBeGreaterThan(30);
    expect(Object.keys(example).toSorted()).toEqual(read);
  });

  it('has the defaults of .env.example', () => {
    expect(loadConfig(example)).toEqual(loadConfig({}));
  });

  it('has every variable in docs/configuration.md, with the same defaults', () => {
    expect(Object.fromEntries(table)).toEqual(example);
    expect(table).toHaveLength(read.length);
  });

  it('accepts its own examples', () => {
    const [block] = shellBlocks('docs/configuration.md');
    const examples = (block?.code ?? '')
      .replaceAll('\\\n', ' ')
      .split('\n')
      .filter((line) => /^[A-Z]/.test(line));
    expect(examples).toHaveLength(2);
    const configs = examples.map((line) =>
      loadConfig(
        Object.fromEntries(
          Array.from(line.matchAll(/([A-Z_]+)=(\$\([^)]*\)|\S+)/g), ([, name, value]) => [
            name,
            value?.replace('$(openssl rand -base64 48)', 'r'.repeat(64)),
          ]),
        ),
      ),
    );
    expect(configs).toMatchObject([
      { mode: 'development', port: 8080, database: { file: './other.sqlite' }, demoData: false },
      { mode: 'production', media: { provider: 'webrtc' }, database: { host: 'db.example' } },
    ]);
  });
});
