/* The content of a signal. The service validates only its structure and never parses SDP (API 6.4). Pure. */

export const DESCRIPTION_TYPES = ['offer', 'answer'] as const;

/** The local description of a terminal. */
export interface SessionDescription {
  type: (typeof DESCRIPTION_TYPES)[number];
  sdp: string;
}

/** An ICE candidate of a terminal; an empty `candidate` marks the end of the candidates. */
export interface IceCandidate {
  candidate: string;
  sdpMid: string | null;
  sdpMLineIndex: number | null;
  usernameFragment: string | null;
}

/** The content of a signal as it was sent. Omitted and null are equivalent. */
export interface SentSignal {
  session_id?: string;
  description?: SessionDescription;
  candidates?: Partial<IceCandidate>[];
}

/** The content of a signal as it is relayed. */
export interface SignalContent {
  /** Connection id, chosen by the caller; null: the callee requests an offer. */
  session_id: string | null;
  description: SessionDescription | null;
  candidates: IceCandidate[];
}

/** Normalises the content: all known parts in a fixed order, and no others. Equal contents have equal JSON. */
export function toContent({ session_id, description, candidates = [] }: SentSignal): SignalContent {
  return {
    session_id: session_id ?? null,
    description: description ? { type: description.type, sdp: description.sdp } : null,
    candidates: candidates.map(({ candidate = '', sdpMid, sdpMLineIndex, usernameFragment }) => ({
      candidate,
      sdpMid: sdpMid ?? null,
      sdpMLineIndex: sdpMLineIndex ?? null,
      usernameFragment: usernameFragment ?? null,
    })),
  };
}
