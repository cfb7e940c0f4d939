import { readFileSync } from 'node:fs';
import { loadConfig } from '../../src/config/config';
import { createApp } from '../../src/create-app';
import { testEnvironment } from '../support/environment';

interface Panel {
  id: number;
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { expr: string }[];
}

const METRIC = /\b(?:callboard|nodejs|process)_\w+/g;

describe('The dashboard', () => {
  const { panels } = JSON.parse(readFileSync('deploy/grafana/callboard.json', 'utf8')) as { panels: Panel[] };
  const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  const shown = new Set(queries.flatMap((query) => query.match(METRIC) ?? []));
  /** Names of the samples that the service exports. Histograms and counters have none before they have counted. */
  let exported: Set<string>;
  let own: string[];

  beforeAll(async () => {
    const env = testEnvironment('sqlite::memory:', { REDIS_URL: 'redis://127.0.0.1:1' });
    const app = await createApp(loadConfig(env));
    const text = (await app.inject('/metrics')).body;
    await app.close();
    const types = Array.from(text.matchAll(/^# TYPE (\w+) (\w+)$/gm), ([, name = '', type]) => ({
      name,
      type,
    }));
    const samplesOf = ({ name, type }: { name: string; type?: string }): string[] =>
      type === 'histogram' ? ['_bucket', '_sum', '_count'].map((ending) => name + ending) : [name];
    exported = new Set(types.flatMap(samplesOf));
    own = types.map(({ name }) => name).filter((name) => name.startsWith('callboard_'));
  });

  it('queries only metrics that the service exports', () => {
    expect(shown.size).toBeGreaterThan(15);
    expect([...shown].filter((name) => !exported.has(name))).toEqual([]);
  });

  it('shows every metric of the service, each documented in docs/operations.md', () => {
    expect(own).toHaveLength(33);
    const documentation = readFileSync('docs/operations.md', 'utf8');
    expect(own.filter((name) => !documentation.includes(`\`${name}\``))).toEqual([]);
    expect(own.filter((name) => ![...shown].some((sample) => sample.startsWith(name)))).toEqual([]);
  });

  it('queries in its alerts only metrics that the service exports', () => {
    const rules = readFileSync('deploy/prometheus/callboard.rules.yml', 'utf8');
    const names = new Set(rules.match(METRIC) ?? []);
    expect(names.size).toBe(13);
    expect([...names].filter((name) => !exported.has(name))).toEqual([]);
  });

  it('has panels with unique ids that do not overlap', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)}:${y + Math.floor(cell / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true);
  });

  it('has balanced brackets in every query', () => {
    const graphs = panels.filter(({ type }) => type !== 'row');
    expect(graphs.filter(({ targets }) => !targets?.length)).toEqual([]);
    const depth = (query: string): number => query.split(/[([{]/).length - query.split(/[)\]}]/).length;
    expect(queries.filter((query) => depth(query) !== 0)).toEqual([]);
  });
});
