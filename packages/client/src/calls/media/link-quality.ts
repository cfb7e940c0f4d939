import type { MediaQuality } from './media.js';

/** Above these one notices it, and above those one hardly understands each other. */
const LIMITS = { loss: [0.03, 0.1], delay: [0.3, 0.6] } as const;

interface Stats {
  type: string;
  kind?: string;
  packetsLost?: number;
  packetsReceived?: number;
  fractionLost?: number;
  state?: string;
  nominated?: boolean;
  currentRoundTripTime?: number;
}

/** Judges a connection by what it says of itself (W3C's webrtc-stats): what was lost both ways, and how long an answer takes. */
export class Quality {
  #lost = 0;
  #received = 0;

  /** How it has been since this was asked last; undefined before there is anything to judge by. */
  judge(report: ReadonlyMap<string, unknown> | RTCStatsReport): MediaQuality | undefined {
    const all: Stats[] = [];
    report.forEach((stats: Stats) => all.push(stats));
    const arriving = all.filter(({ type }) => type === 'inbound-rtp');
    const lost = sum(arriving.map(({ packetsLost = 0 }) => packetsLost));
    const received = sum(arriving.map(({ packetsReceived = 0 }) => packetsReceived));
    const [newlyLost, newlyReceived] = [Math.max(0, lost - this.#lost), received - this.#received];
    this.#lost = lost;
    this.#received = received;
    const delay = all.find(({ type, state, nominated }) => {
      return type === 'candidate-pair' && state === 'succeeded' && nominated === true;
    })?.currentRoundTripTime;
    if (delay === undefined && newlyReceived <= 0) return undefined;
    const inward = newlyReceived > 0 ? newlyLost / (newlyLost + newlyReceived) : 0;
    const outward = all.filter(({ type }) => type === 'remote-inbound-rtp');
    const loss = Math.max(inward, ...outward.map(({ fractionLost = 0 }) => fractionLost));
    const isAbove = (level: 0 | 1): boolean =>
      loss > LIMITS.loss[level] || (delay ?? 0) > LIMITS.delay[level];
    return isAbove(1) ? 'poor' : isAbove(0) ? 'fair' : 'good';
  }
}

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);
