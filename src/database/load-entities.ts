import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const SOURCES = join(__dirname, '..');

/** Returns what the files `*.entity.ts` of all modules export: the classes of their tables, among others. */
export const loadEntities = (): EntityClass[] =>
  readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.entity\.[jt]s$/.test(file))
    .flatMap((file) => Object.values(require(join(SOURCES, file)) as Record<string, unknown>))
    .filter((exported): exported is EntityClass => typeof exported === 'function');

type EntityClass = new () => object;
