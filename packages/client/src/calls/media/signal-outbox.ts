import { CallboardError } from '../../errors.js';
import type { SendSignalRequest } from '../../generated/types.gen.js';
import { uniqueId } from '../../unique-id.js';

type Candidate = NonNullable<SendSignalRequest['candidates']>[number];
type Signal = Omit<SendSignalRequest, 'terminal_id'>;

interface Waiting {
  description?: { type: 'offer' | 'answer'; sdp: string };
  candidates: Candidate[];
}

const CANDIDATES_AT_ONCE = 100;

interface OutboxOptions {
  sessionId: string;
  /** Sends a signal until it has arrived; a repetition has the same id, so it is harmless. */
  send: (signal: Signal) => Promise<void>;
  /** The call is over, or another terminal's. */
  onRefused: () => void;
}

/**
 * What one connection still has to signal. One request at a time, so that the order is kept; candidates join what waits.
 * What is closed drops the rest: it must not overtake what a newer connection says.
 */
export class SignalOutbox {
  readonly #options: OutboxOptions;
  readonly #waiting: Waiting[] = [];
  #isSending = false;
  #isClosed = false;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  describe({ type, sdp }: RTCSessionDescription): void {
    this.#waiting.push({ description: { type: type as 'offer' | 'answer', sdp }, candidates: [] });
    void this.#flush();
  }

  /** @param candidate of `onicecandidate`; null: there are no more */
  add(candidate: RTCIceCandidate | null): void {
    const { candidate: text = '', sdpMid, sdpMLineIndex, usernameFragment } = candidate?.toJSON() ?? {};
    const entry: Candidate = {
      candidate: text,
      ...(sdpMid != null && { sdpMid }),
      ...(sdpMLineIndex != null && { sdpMLineIndex }),
      ...(usernameFragment != null && { usernameFragment }),
    };
    const last = this.#waiting.at(-1);
    if (last !== undefined && last.candidates.length < CANDIDATES_AT_ONCE) last.candidates.push(entry);
    else this.#waiting.push({ candidates: [entry] });
    void this.#flush();
  }

  close(): void {
    this.#isClosed = true;
  }

  async #flush(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    try {
      // Taken out of the line first: what comes up while it is under way goes with the next one.
      for (
        let next = this.#waiting.shift();
        next !== undefined && !this.#isClosed;
        next = this.#waiting.shift()
      ) {
        await this.#options.send({ session_id: this.#options.sessionId, signal_id: uniqueId(), ...next });
      }
    } catch (error) {
      const isFinal = error instanceof CallboardError && !error.isTransient;
      // What was lost on the way is made up for by a new connection.
      if (isFinal && !this.#isClosed) this.#options.onRefused();
      this.close();
    } finally {
      this.#isSending = false;
    }
  }
}
