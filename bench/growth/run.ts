import { type BenchPart, openBench } from './bench-app';
import { PARTS } from './index';
import type { Row } from './measure';

/** Measures the given parts (all if undefined), each on its own empty database. */
export async function measureGrowth(wanted: string[] | undefined): Promise<Record<string, Row[]>> {
  const results: Record<string, Row[]> = {};
  for (const part of PARTS.filter(({ name }) => wanted?.includes(name) ?? true)) {
    results[part.name] = await measurePart(part);
  }
  return results;
}

async function measurePart(part: BenchPart): Promise<Row[]> {
  const bench = await openBench();
  try {
    process.stderr.write(`growth: ${part.name} (${bench.engine})\n`);
    return await part.run(bench);
  } finally {
    await bench.close();
  }
}

export function growthTable(results: Record<string, Row[]>): string {
  return Object.entries(results)
    .flatMap(([part, rows]) => [
      part,
      ...rows.map(({ what, value, unit, target, met }) => {
        const verdict = target === undefined ? '' : `  target ${target}  ${met ? 'met' : 'MISSED'}`;
        return `  ${what.padEnd(60)} ${value.toFixed(2).padStart(9)} ${unit}${verdict}`;
      }),
    ])
    .join('\n');
}
