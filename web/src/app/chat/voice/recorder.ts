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
  readonly startedAt = performance.now();
  readonly #chunks: Blob[] = [];
  readonly #samples: number[] = [];
  readonly #context = new AudioContext();
  readonly #timer: ReturnType<typeof setInterval>;

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

  /** Ends the recording and returns it. */
  async finish(): Promise<Recording> {
    const seconds = Math.max(1, Math.round((performance.now() - this.startedAt) / SECOND_MS));
    const isStopped = new Promise((resolve) => this.recorder.addEventListener('stop', resolve));
    this.recorder.stop();
    await isStopped;
    this.#release();
    const { mediaType, extension } = this.format;
    const [type] = mediaType.split(';');
    const file = new File(this.#chunks, `voice.${extension}`, { type });
    return { file, duration: seconds, waveform: toLevels(this.#samples) };
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
