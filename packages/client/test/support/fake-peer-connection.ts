type Direction = RTCRtpTransceiverDirection;

/** A remote track. */
export class FakeRemoteTrack extends EventTarget {
  onmute: (() => void) | null = null;

  constructor(readonly kind: 'audio' | 'video') {
    super();
  }

  /** Fires `mute`, as some browsers do when no frame has arrived for a moment. */
  mute(): void {
    this.onmute?.();
    this.dispatchEvent(new Event('mute'));
  }
}

/** An RTCPeerConnection without media and network. The test sets what a negotiation results in, and fires the events. */
export class FakePeerConnection {
  /** The connections of the current test, the newest last. */
  static readonly opened: FakePeerConnection[] = [];

  /** Directions after the next negotiation. Kinds without one have no transceiver. */
  negotiated: Partial<Record<'audio' | 'video', Direction>> = { audio: 'sendrecv', video: 'sendrecv' };
  connectionState: RTCPeerConnectionState = 'new';
  signalingState: RTCSignalingState = 'stable';
  localDescription: RTCSessionDescriptionInit | null = null;
  remoteDescription: RTCSessionDescriptionInit | null = null;
  onconnectionstatechange: (() => void) | undefined;
  onnegotiationneeded: (() => void) | undefined;
  ontrack: ((event: { track: FakeRemoteTrack }) => void) | undefined;
  restarts = 0;
  readonly tracks = { audio: new FakeRemoteTrack('audio'), video: new FakeRemoteTrack('video') };
  #directions: FakePeerConnection['negotiated'] = {};

  constructor() {
    FakePeerConnection.opened.push(this);
  }

  addTrack = (track: MediaStreamTrack): object => ({ track });
  createDataChannel = (): EventTarget => new EventTarget();
  setConfiguration = (): void => undefined;
  addIceCandidate = async (): Promise<void> => undefined;
  getStats = async (): Promise<Map<string, unknown>> => new Map();
  restartIce = (): void => void (this.restarts += 1);

  getTransceivers = (): object[] =>
    (['audio', 'video'] as const)
      .filter((kind) => kind in this.#directions)
      .map((kind) => ({
        receiver: { track: this.tracks[kind] },
        currentDirection: this.#directions[kind] ?? null,
      }));

  async setLocalDescription(): Promise<void> {
    const isAnswer = this.signalingState === 'have-remote-offer';
    this.localDescription = { type: isAnswer ? 'answer' : 'offer', sdp: 'v=0' };
    if (isAnswer) this.#settle();
    else this.signalingState = 'have-local-offer';
  }

  async setRemoteDescription(description: RTCSessionDescriptionInit): Promise<void> {
    this.remoteDescription = description;
    if (description.type === 'answer') this.#settle();
    else this.signalingState = 'have-remote-offer';
  }

  /** Enters a connection state. */
  enter(state: RTCPeerConnectionState): void {
    this.connectionState = state;
    this.onconnectionstatechange?.();
  }

  close(): void {
    this.connectionState = 'closed';
  }

  #settle(): void {
    this.signalingState = 'stable';
    this.#directions = this.negotiated;
  }
}
