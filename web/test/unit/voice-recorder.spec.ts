import { VoiceRecorder } from '../../src/app/chat/voice/recorder';

/* Recorder of voice messages with mocks of the browser's recorder and microphone. */

class FakeRecorder extends EventTarget {
  static readonly isTypeSupported = (): boolean => true;
  static last: FakeRecorder;
  state: RecordingState = 'inactive';

  constructor() {
    super();
    FakeRecorder.last = this;
  }

  start(): void {
    this.state = 'recording';
  }

  /** Ends the recording, as the browser also does when the track of the microphone ends. */
  stop(): void {
    if (this.state === 'inactive') throw new DOMException('The recorder is inactive.', 'InvalidStateError');
    this.state = 'inactive';
    queueMicrotask(() => {
      this.dispatchEvent(Object.assign(new Event('dataavailable'), { data: new Blob(['sound']) }));
      this.dispatchEvent(new Event('stop'));
    });
  }
}

class FakeAudioContext {
  createAnalyser = () => ({ fftSize: 32, getByteTimeDomainData: (data: Uint8Array) => data.fill(192) });
  createMediaStreamSource = () => ({ connect: () => undefined });
  close = () => Promise.resolve();
}

describe('Recorder of voice messages', () => {
  let isMicrophoneReleased: boolean;

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['queueMicrotask'] });
    isMicrophoneReleased = false;
    const track = { stop: () => (isMicrophoneReleased = true) };
    Object.assign(globalThis, { MediaRecorder: FakeRecorder, AudioContext: FakeAudioContext });
    Object.assign(navigator, {
      mediaDevices: { getUserMedia: () => Promise.resolve({ getTracks: () => [track] }) },
    });
  });

  afterEach(() => jest.useRealTimers());

  it('returns the recording, its duration and its waveform', async () => {
    const recorder = await VoiceRecorder.start(() => undefined);
    jest.advanceTimersByTime(2_000);
    const { file, duration, waveform } = await recorder.finish();
    expect(await file.text()).toBe('sound');
    expect(duration).toBe(2);
    expect(waveform).toEqual(Array(40).fill(50));
    expect(isMicrophoneReleased).toBe(true);
  });

  it('returns the recording up to the end of the microphone when it was removed', async () => {
    const recorder = await VoiceRecorder.start(() => undefined);
    jest.advanceTimersByTime(2_000);
    FakeRecorder.last.stop();
    await new Promise((resolve) => FakeRecorder.last.addEventListener('stop', resolve));
    jest.advanceTimersByTime(60_000);
    expect(recorder.seconds).toBe(2);
    const { file, duration, waveform } = await recorder.finish();
    expect(await file.text()).toBe('sound');
    expect(duration).toBe(2);
    expect(waveform).toHaveLength(40);
    expect(isMicrophoneReleased).toBe(true);
  });
});
