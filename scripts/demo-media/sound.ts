/** Samples per second; sufficient for a whistled tune. */
const RATE = 8_000;
const HEADER_BYTES = 44;
const SILENCE = 128;
const LOUDEST = 70;

/** Notes as frequency in Hz and duration in beats. */
const TUNE: readonly (readonly [hertz: number, beats: number])[] = [
  [523, 1],
  [587, 1],
  [659, 1],
  [523, 1],
  [659, 1],
  [698, 1],
  [784, 2],
];
const BEAT_SECONDS = 0.5;

/** Duration of the tune, in whole seconds. */
export const TUNE_SECONDS = TUNE.reduce((sum, [, beats]) => sum + beats, 0) * BEAT_SECONDS;

/** Returns the tune as a WAV file: PCM, mono, 8 bits, the most widely supported format. */
export function whistle(): Buffer {
  const samples = Buffer.concat(TUNE.map(([hertz, beats]) => note(hertz, beats * BEAT_SECONDS)));
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('RIFF', 0);
  header.writeUInt32LE(HEADER_BYTES - 8 + samples.length, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16); // bytes of the format
  header.writeUInt16LE(1, 20); // PCM
  header.writeUInt16LE(1, 22); // channels
  header.writeUInt32LE(RATE, 24);
  header.writeUInt32LE(RATE, 28); // bytes per second
  header.writeUInt16LE(1, 32); // bytes per sample
  header.writeUInt16LE(8, 34); // bits per sample
  header.write('data', 36);
  header.writeUInt32LE(samples.length, 40);
  return Buffer.concat([header, samples]);
}

/** A note with a swell, a fade and a little vibrato. */
function note(hertz: number, seconds: number): Buffer {
  const count = Math.round(seconds * RATE);
  return Buffer.from(
    Array.from({ length: count }, (_, index) => {
      const time = index / RATE;
      const loudness = Math.min(1, time * 20, (seconds - time) * 12);
      const phase = 2 * Math.PI * hertz * time + 0.8 * Math.sin(2 * Math.PI * 6 * time);
      return Math.round(SILENCE + LOUDEST * loudness * Math.sin(phase));
    }),
  );
}
