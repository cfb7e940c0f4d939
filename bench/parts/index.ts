import type { BenchApp } from '../bench-app';
import type { Row } from '../measure';
import { messaging } from './messaging';

/** One module's share of the benchmark. */
export interface Part {
  name: string;
  run(bench: BenchApp): Promise<Row[]>;
}

export const PARTS: Part[] = [messaging];
