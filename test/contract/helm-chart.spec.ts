import { globSync, readFileSync } from 'node:fs';
import { version } from '../../package.json';

const CHART = 'deploy/helm/callboard';
const values = readFileSync(`${CHART}/values.yaml`, 'utf8');
const templates = globSync(`${CHART}/templates/*`).map((file) => readFileSync(file, 'utf8'));
const template = (name: string): string => readFileSync(`${CHART}/templates/${name}.yaml`, 'utf8');

/** Returns the paths of values.yaml, such as `image.tag`; it is indented by two spaces and has two levels. */
function pathsOfValues(): string[] {
  let parent = '';
  return values.split('\n').flatMap((line) => {
    const [, indent = '', key] = /^( {0,2})([a-zA-Z]+):/.exec(line) ?? [];
    if (key === undefined) return [];
    if (indent !== '') return [`${parent}.${key}`];
    parent = key;
    return [key];
  });
}

describe('The Helm chart', () => {
  it('has the version of the service', () => {
    const chart = readFileSync(`${CHART}/Chart.yaml`, 'utf8');
    expect(chart).toContain(`\nversion: ${version}\nappVersion: ${version}\n`);
  });

  it('uses every value, and no value without a default', () => {
    const used = new Set(
      templates.flatMap((text) =>
        Array.from(text.matchAll(/\.Values\.([a-zA-Z]+(?:\.[a-zA-Z]+)?)/g), ([, path = '']) => path),
      ),
    );
    const paths = pathsOfValues();
    expect(paths.length).toBeGreaterThan(40);
    expect([...used].filter((path) => !paths.includes(path))).toEqual([]);
    const isUsed = (path: string): boolean =>
      [...used].some((name) => name === path || name.startsWith(`${path}.`) || path.startsWith(`${name}.`));
    expect(paths.filter((path) => !isUsed(path))).toEqual([]);
  });

  it('closes every block', () => {
    for (const text of templates) {
      const opened = text.match(/\{\{-? (?:if|range|with|define) /g) ?? [];
      expect(text.match(/\{\{-? end \}\}/g) ?? []).toHaveLength(opened.length);
    }
  });

  it('runs the commands of the image, and no pod with more rights than the service needs', () => {
    expect(template('migration')).toContain('args: [callboard, migrate]');
    for (const name of ['deployment', 'migration']) {
      expect(template(name)).toContain('include "callboard.podSecurity"');
      expect(template(name)).toContain('include "callboard.containerSecurity"');
      expect(template(name)).toContain('automountServiceAccountToken: false');
      expect(template(name)).toContain('include "callboard.scheduling"');
      expect(template(name)).toContain('toYaml .Values.resources');
    }
    const helpers = readFileSync(`${CHART}/templates/_helpers.tpl`, 'utf8');
    expect(helpers).toContain('readOnlyRootFilesystem: true');
    expect(helpers).toContain('runAsNonRoot: true');
    expect(helpers).toContain('drop: [ALL]');
  });

  it('contains the alerts of deploy/prometheus', () => {
    expect(readFileSync(`${CHART}/callboard.rules.yml`, 'utf8')).toBe(
      readFileSync('deploy/prometheus/callboard.rules.yml', 'utf8'),
    );
  });
});
