import { storedSwitch } from './stored-switch';

const stored = storedSwitch('callboard.sounds-off');

/** Switches all sounds on or off, in all tabs and for later visits. */
export const switchSounds = (on: boolean): void => stored.set(on);

/** Whether sounds are on. */
export const useSounds = (): boolean => stored.use();

/** Created with the first tone: browsers allow no audio before the user has interacted with the page. */
let context: AudioContext | undefined;

/** Pitch in hertz; start (`at`) and length in seconds. */
type Tone = readonly [pitch: number, at: number, length: number];

const CHIME: readonly Tone[] = [
  [880, 0, 0.12],
  [1174, 0.12, 0.2],
];
const RING: readonly Tone[] = [
  [659, 0, 0.35],
  [784, 0.4, 0.35],
];
const RINGBACK: readonly Tone[] = [[425, 0, 1]];
const RING_EVERY_MS = 2_500;
const RINGBACK_EVERY_MS = 4_000;
const LOUDNESS = 0.12;
/** Minimum time between two chimes, so that a burst of events plays one. */
const CHIME_EVERY_MS = 1_500;
let chimedAt = -Infinity;

/** Plays the sound for a new message or notification. */
export function chime(): void {
  if (performance.now() - chimedAt < CHIME_EVERY_MS) return;
  chimedAt = performance.now();
  play(CHIME);
}

/** Rings until the returned function is called. */
export const ring = (): (() => void) => repeat(RING, RING_EVERY_MS);

/** Plays the ringback tone for the caller until the returned function is called. */
export const ringback = (): (() => void) => repeat(RINGBACK, RINGBACK_EVERY_MS);

function repeat(tones: readonly Tone[], everyMs: number): () => void {
  play(tones);
  const timer = setInterval(() => play(tones), everyMs);
  return () => clearInterval(timer);
}

function play(tones: readonly Tone[]): void {
  // Without user activation browsers play nothing and log a warning.
  if (!stored.isOn() || !navigator.userActivation.hasBeenActive) return;
  context ??= new AudioContext();
  if (context.state === 'suspended') void context.resume();
  for (const [pitch, at, length] of tones) {
    const begin = context.currentTime + at;
    const tone = new OscillatorNode(context, { frequency: pitch });
    const volume = new GainNode(context, { gain: LOUDNESS });
    volume.gain.setTargetAtTime(0, begin + length * 0.7, length * 0.1);
    tone.connect(volume).connect(context.destination);
    tone.start(begin);
    tone.stop(begin + length);
  }
}
