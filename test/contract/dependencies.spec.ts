import { readFileSync } from 'node:fs';

interface Manifest {
  dependencies: Record<string, string>;
  allowScripts: Record<string, boolean>;
}
interface Lock {
  packages: Record<
    string,
    {
      dev?: boolean;
      hasInstallScript?: boolean;
      version: string;
      license?: string;
      resolved?: string;
      optionalDependencies?: Record<string, string>;
    }
  >;
}

const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

describe('Dependencies', () => {
  const rows = Array.from(
    readFileSync('docs/dependencies.md', 'utf8').matchAll(/^\| `([^`]+)` +\| ([\d.]+) +\| ([\w.-]+) +\|/gm),
    ([, name = '', major, licence]) => [name, { major, licence }] as const,
  );
  const { packages } = read('package-lock.json') as Lock;
  const manifest = read('package.json') as Manifest;

  it('are listed in docs/dependencies.md with their installed major version and licence', () => {
    const installed = Object.keys(manifest.dependencies).map((name) => {
      const { version = '', license } = packages[`node_modules/${name}`] ?? {};
      const [first = '', second = ''] = version.split('.');
      return [name, { major: first === '0' ? `0.${second}` : first, licence: license }] as const;
    });
    expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(installed));
  });

  it('are locked for every platform, independently of the registry', () => {
    for (const name of ['rolldown', 'lightningcss']) {
      const builds = Object.keys(packages[`node_modules/${name}`]?.optionalDependencies ?? {});
      expect(builds.length).toBeGreaterThan(10);
      expect(builds.filter((build) => !(`node_modules/${build}` in packages))).toEqual([]);
    }
    const addresses = Object.values(packages).filter(({ resolved }) => resolved?.includes(':'));
    expect(addresses).toEqual([]);
  });

  it('have no installation scripts in production except those forbidden in package.json', () => {
    const scripts = Object.entries(packages).filter(
      ([, { dev, hasInstallScript }]) => !dev && hasInstallScript,
    );
    expect(scripts.map(([path]) => path)).toEqual(['node_modules/@scarf/scarf']);
    expect(manifest.allowScripts['@scarf/scarf']).toBe(false);
  });
});
