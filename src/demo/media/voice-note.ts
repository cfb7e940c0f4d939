/** Samples per second; sufficient for speech. */
const RATE = 8_000;
const HEADER_BYTES = 44;
const SILENCE = 128;
const LOUDEST = 90;
/** Bars of the waveform. */
const BARS = 48;

/** Syllables as frequency in Hz and loudness from 0 to 1; 0 is a pause. */
const SYLLABLES: readonly (readonly [hertz: number, loudness: number])[] = [
  [180, 0.5],
  [210, 0.9],
  [195, 0.7],
  [0, 0],
  [170, 0.6],
  [220, 1],
  [240, 0.8],
  [200, 0.5],
  [0, 0],
  [190, 0.8],
  [175, 0.6],
  [160, 0.4],
];
const SYLLABLE_SECONDS = 0.25;

/**
 * Returns a recording with the rhythm of speech, which is the same each time: a WAV file (PCM, mono, 8 bits), its whole
 * seconds, and its loudness over the time as integers from 0 to 100.
 */
export function speakVoiceNote() {
  const samples = Buffer.concat(SYLLABLES.map(([hertz, loudness]) => syllable(hertz, loudness)));
  return {
    wav: Buffer.concat([headerOf(samples.length), samples]),
    seconds: SYLLABLES.length * SYLLABLE_SECONDS,
    waveform: waveformOf(samples),
  };
}

function syllable(hertz: number, loudness: number): Buffer {
  const length = RATE * SYLLABLE_SECONDS;
  return Buffer.from(
    Array.from({ length }, (_, index) => {
      const phase = (2 * Math.PI * hertz * index) / RATE;
      const tone = 0.6 * Math.sin(phase) + 0.3 * Math.sin(2 * phase) + 0.1 * Math.sin(5 * phase);
      const envelope = Math.sin((Math.PI * index) / length) * loudness;
      return SILENCE + Math.round(LOUDEST * envelope * tone);
    }),
  );
}

function headerOf(bytes: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('RIFF', 0);
  header.writeUInt32LE(HEADER_BYTES - 8 + bytes, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16); // bytes of the format
  header.writeUInt16LE(1, 20); // PCM
  header.writeUInt16LE(1, 22); // channels
  header.writeUInt32LE(RATE, 24);
  header.writeUInt32LE(RATE, 28); // bytes per second
  header.writeUInt16LE(1, 32); // bytes per sample
  header.writeUInt16LE(8, 34); // bits per sample
  header.write('data', 36);
  header.writeUInt32LE(bytes, 40);
  return header;
}

/** Returns the greatest loudness of each part of the samples, relative to the loudest part. */
function waveformOf(samples: Buffer): number[] {
  const length = samples.length / BARS;
  const peaks = Array.from({ length: BARS }, (_, index) => {
    const part = samples.subarray(index * length, (index + 1) * length);
    return part.reduce((peak, sample) => Math.max(peak, Math.abs(sample - SILENCE)), 0);
  });
  const loudest = Math.max(...peaks);
  return peaks.map((peak) => Math.round((100 * peak) / loudest));
}
