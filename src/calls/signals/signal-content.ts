/* What a signal holds. The service looks at its form and at nothing in it: SDP is never parsed (contract 17). Pure. */

export const DESCRIPTION_TYPES = ['offer', 'answer'] as const;

/** What a terminal has set as its local description. */
export interface SessionDescription {
  type: (typeof DESCRIPTION_TYPES)[number];
  sdp: string;
}

/** One way to reach a terminal; an empty `candidate` says that there are no more. */
export interface IceCandidate {
  candidate: string;
  sdpMid: string | null;
  sdpMLineIndex: number | null;
  usernameFragment: string | null;
}

/** The content of a signal as it was sent: what is left out and what is null are alike. */
export interface SentSignal {
  session_id?: string;
  description?: SessionDescription;
  candidates?: Partial<IceCandidate>[];
}

/** The content of a signal as it is relayed. */
export interface SignalContent {
  /** The connection, named by the caller; null: the callee asks for an offer. */
  session_id: string | null;
  description: SessionDescription | null;
  candidates: IceCandidate[];
}

/** The content with every part in its place, and nothing else that was sent: equal contents have equal JSON. */
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
