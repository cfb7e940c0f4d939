import { getHeapStatistics } from 'node:v8';
import { shrinkHeap } from './shrink-heap';

const MIB = 1024 * 1024;

describe('shrinkHeap', () => {
  it('returns the memory of garbage to the system', () => {
    let garbage: number[][] | undefined = Array.from({ length: 64 }, () =>
      new Array<number>(MIB / 8).fill(0.5),
    );
    const filled = getHeapStatistics().total_heap_size;
    garbage = undefined;
    shrinkHeap();
    expect(filled - getHeapStatistics().total_heap_size).toBeGreaterThan(60 * MIB);
    expect(garbage).toBeUndefined();
  });
});
