import { pause } from '../../environment.js';
import { CallboardError } from '../../errors.js';
import type { SendSignalRequest } from '../../generated/types.gen.js';
import { uniqueId } from '../../unique-id.js';

type Candidate = NonNullable<SendSignalRequest['candidates']>[number];
type Signal = Omit<SendSignalRequest, 'terminal_id'>;

interface QueuedSignal {
  description?: { type: 'offer' | 'answer'; sdp: string };
  candidates: Candidate[];
}

const MAX_CANDIDATES = 100;
/** Delay before a signal is repeated after `send` gave up. */
const RETRY_DELAY_MS = 3_000;

interface OutboxOptions {
  sessionId: string;
  /** Sends a signal with retries. A repetition has the same id, so it is harmless. */
  send: (signal: Signal) => Promise<void>;
  /** Called after a permanent error: the call has ended, or another terminal has it. */
  onRefused: () => void;
}

/**
 * Queue of the signals of one peer connection. Sends one request at a time to keep the order, and adds new candidates to the last
 * queued signal. Repeats a signal until it succeeds, because a lost offer or answer would block all later negotiations. After
 * `close` the queue is dropped, because its signals must not arrive after those of a newer connection.
 */
export class SignalOutbox {
  readonly #options: OutboxOptions;
  readonly #queue: QueuedSignal[] = [];
  readonly #closing = new AbortController();
  #isSending = false;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  describe({ type, sdp }: RTCSessionDescription): void {
    this.#queue.push({ description: { type: type as 'offer' | 'answer', sdp }, candidates: [] });
    void this.#flush();
  }

  /** @param candidate of `onicecandidate`; null: end of candidates */
  add(candidate: RTCIceCandidate | null): void {
    const { candidate: text = '', sdpMid, sdpMLineIndex, usernameFragment } = candidate?.toJSON() ?? {};
    const entry: Candidate = {
      candidate: text,
      ...(sdpMid != null && { sdpMid }),
      ...(sdpMLineIndex != null && { sdpMLineIndex }),
      ...(usernameFragment != null && { usernameFragment }),
    };
    const last = this.#queue.at(-1);
    if (last !== undefined && last.candidates.length < MAX_CANDIDATES) last.candidates.push(entry);
    else this.#queue.push({ candidates: [entry] });
    void this.#flush();
  }

  close(): void {
    this.#closing.abort();
  }

  async #flush(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    // Dequeued before it is sent: a repetition has the same content, and new candidates are added to the next signal.
    for (
      let next = this.#queue.shift();
      next !== undefined && !this.#closing.signal.aborted;
      next = this.#queue.shift()
    )
      await this.#deliver({ session_id: this.#options.sessionId, signal_id: uniqueId(), ...next });
    this.#isSending = false;
  }

  /** Sends a signal until it succeeds, fails permanently, or the outbox is closed. */
  async #deliver(signal: Signal): Promise<void> {
    const { signal: closed } = this.#closing;
    while (!closed.aborted) {
      try {
        return await this.#options.send(signal);
      } catch (error) {
        if (error instanceof CallboardError && !error.isTransient) {
          if (!closed.aborted) this.#options.onRefused();
          this.close();
        } else await pause(RETRY_DELAY_MS, closed, { wakeable: true });
      }
    }
  }
}
