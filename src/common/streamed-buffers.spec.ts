import { countStreamed } from './streamed-buffers';

const MIB = 1024 * 1024;

/** Streams 200 MiB in buffers of 64 KiB, of which the newest `inFlight` are in use. Returns by how much all buffers grew at most. */
function growthMiB(inFlight: number): number {
  const before = process.memoryUsage().arrayBuffers;
  const used: Buffer[] = [];
  let peak = 0;
  for (let at = 0; at < 200 * MIB; at += 64 * 1024) {
    const buffer = Buffer.allocUnsafeSlow(64 * 1024);
    used.push(buffer);
    if (used.length > inFlight) used.shift();
    countStreamed(buffer);
    peak = Math.max(peak, process.memoryUsage().arrayBuffers - before);
  }
  return peak / MIB;
}

describe('countStreamed', () => {
  it('frees the buffers of earlier bytes', () => {
    expect(growthMiB(1)).toBeLessThan(24);
  });

  it('frees buffers that were in use while others were freed', () => {
    expect(growthMiB(64)).toBeLessThan(32);
  });
});
