import { toLevels } from './levels';

/** Interval between two samples of the level. */
const SAMPLE_MS = 50;
const SECOND_MS = 1_000;
/** Formats by preference. Safari records MP4. */
const FORMATS = [
  { mediaType: 'audio/webm;codecs=opus', extension: 'webm' },
  { mediaType: 'audio/mp4', extension: 'm4a' },
  { mediaType: 'audio/ogg;codecs=opus', extension: 'ogg' },
] as const;
const MAX_SAMPLE = 128;

export interface Recording {
  file: File;
  /** In whole seconds, at least 1. */
  duration: number;
  /** At most 100 integers from 0 to 100. */
  waveform: number[];
}

/** A voice message that is being recorded. */
export class VoiceRecorder {
  readonly #startedAt = performance.now();
  readonly #chunks: Blob[] = [];
  readonly #samples: number[] = [];
  readonly #context = new AudioContext();
  readonly #timer: ReturnType<typeof setInterval>;
  /** Resolves when the recorder has ended, also by itself, as when the microphone is unplugged. */
  readonly #ended: Promise<unknown>;
  #endedAt: number | undefined;

  private constructor(
    private readonly stream: MediaStream,
    private readonly recorder: MediaRecorder,
    private readonly format: (typeof FORMATS)[number],
    onLevel: (level: number) => void,
  ) {
    const analyser = this.#context.createAnalyser();
    this.#context.createMediaStreamSource(stream).connect(analyser);
    const data = new Uint8Array(analyser.fftSize);
    this.#timer = setInterval(() => {
      analyser.getByteTimeDomainData(data);
      const level = data.reduce((loudest, sample) => Math.max(loudest, Math.abs(sample - MAX_SAMPLE)), 0);
      this.#samples.push(level / MAX_SAMPLE);
      onLevel(level / MAX_SAMPLE);
    }, SAMPLE_MS);
    recorder.addEventListener('dataavailable', ({ data: chunk }) => this.#chunks.push(chunk));
    this.#ended = new Promise((resolve) => recorder.addEventListener('stop', resolve));
    recorder.addEventListener('stop', () => {
      clearInterval(this.#timer);
      this.#endedAt = performance.now();
    });
    recorder.start();
  }

  /**
   * Asks for the microphone and begins to record. `onLevel` receives levels from 0 to 1.
   * @throws {DOMException} `NotAllowedError`: refused; others: no microphone, or it is in use
   */
  static async start(onLevel: (level: number) => void): Promise<VoiceRecorder> {
    const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
    const format = FORMATS.find(({ mediaType }) => MediaRecorder.isTypeSupported(mediaType)) ?? FORMATS[0];
    const recorder = new MediaRecorder(stream, { mimeType: format.mediaType });
    return new VoiceRecorder(stream, recorder, format, onLevel);
  }

  /** Length of the recording in seconds so far. */
  get seconds(): number {
    return ((this.#endedAt ?? performance.now()) - this.#startedAt) / SECOND_MS;
  }

  /** Ends the recording, unless it has ended by itself, and returns it. */
  async finish(): Promise<Recording> {
    if (this.recorder.state !== 'inactive') this.recorder.stop();
    await this.#ended;
    const duration = Math.max(1, Math.round(this.seconds));
    this.#release();
    const { mediaType, extension } = this.format;
    const [type] = mediaType.split(';');
    const file = new File(this.#chunks, `voice.${extension}`, { type });
    return { file, duration, waveform: toLevels(this.#samples) };
  }

  /** Ends the recording and discards it. */
  cancel(): void {
    this.#release();
  }

  #release(): void {
    clearInterval(this.#timer);
    for (const track of this.stream.getTracks()) track.stop();
    void this.#context.close();
  }
}
