import { getHeapStatistics } from 'node:v8';
import { shrinkHeap } from './shrink-heap';

const MIB = 1024 * 1024;

describe('shrinkHeap', () => {
  it('returns the memory of garbage to the system', () => {
    fillHeap();
    const filled = getHeapStatistics().total_heap_size;
    shrinkHeap();
    expect(filled - getHeapStatistics().total_heap_size).toBeGreaterThan(60 * MIB);
  });
});

/** Leaves arrays of 64 MiB as garbage. */
function fillHeap(): void {
  const arrays = Array.from({ length: 64 }, () => Array.from({ length: MIB / 8 }, () => 0.5));
  expect(arrays).toHaveLength(64);
}
