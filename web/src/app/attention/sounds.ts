import { storedSwitch } from './stored-switch';

const stored = storedSwitch('callboard.sounds-off');

/** Switches all sounds on or off, in all tabs and for later visits. */
export const setSoundsEnabled = (isEnabled: boolean): void => stored.set(isEnabled);

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
const RING_INTERVAL_MS = 2_500;
const RINGBACK_INTERVAL_MS = 4_000;
const VOLUME = 0.12;
/** Minimum time between two chimes, so that a burst of events plays one. */
const MIN_CHIME_INTERVAL_MS = 1_500;
let chimedAt = -Infinity;

/** Plays the sound for a new message or notification. */
export function chime(): void {
  if (performance.now() - chimedAt < MIN_CHIME_INTERVAL_MS) return;
  chimedAt = performance.now();
  play(CHIME);
}

/** Rings until the returned function is called. */
export const ring = (): (() => void) => repeat(RING, RING_INTERVAL_MS);

/** Plays the ringback tone for the caller until the returned function is called. */
export const ringback = (): (() => void) => repeat(RINGBACK, RINGBACK_INTERVAL_MS);

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
    const startTime = context.currentTime + at;
    const tone = new OscillatorNode(context, { frequency: pitch });
    const volume = new GainNode(context, { gain: VOLUME });
    volume.gain.setTargetAtTime(0, startTime + length * 0.7, length * 0.1);
    tone.connect(volume).connect(context.destination);
    tone.start(startTime);
    tone.stop(startTime + length);
  }
}
