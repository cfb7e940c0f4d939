import type { MediaQuality } from './media.js';

/**
 * Upper limits of packet loss (ratio) and round-trip time (seconds) for `good` and `fair`. Above the second, speech is
 * unintelligible.
 */
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

/** Rates a connection by its statistics (W3C webrtc-stats): packet loss in both directions, and round-trip time. */
export class LinkQuality {
  #lost = 0;
  #received = 0;

  /** Returns the quality since the previous call; undefined if the statistics have no data yet. */
  rate(report: ReadonlyMap<string, unknown> | RTCStatsReport): MediaQuality | undefined {
    const all: Stats[] = [];
    report.forEach((stats: Stats) => all.push(stats));
    const inbound = all.filter(({ type }) => type === 'inbound-rtp');
    const lost = sum(inbound.map(({ packetsLost = 0 }) => packetsLost));
    const received = sum(inbound.map(({ packetsReceived = 0 }) => packetsReceived));
    const [newlyLost, newlyReceived] = [Math.max(0, lost - this.#lost), received - this.#received];
    this.#lost = lost;
    this.#received = received;
    const delay = all.find(({ type, state, nominated }) => {
      return type === 'candidate-pair' && state === 'succeeded' && nominated === true;
    })?.currentRoundTripTime;
    if (delay === undefined && newlyReceived <= 0) return undefined;
    const inboundLoss = newlyReceived > 0 ? newlyLost / (newlyLost + newlyReceived) : 0;
    const outbound = all.filter(({ type }) => type === 'remote-inbound-rtp');
    const loss = Math.max(inboundLoss, ...outbound.map(({ fractionLost = 0 }) => fractionLost));
    const isAbove = (level: 0 | 1): boolean =>
      loss > LIMITS.loss[level] || (delay ?? 0) > LIMITS.delay[level];
    return isAbove(1) ? 'poor' : isAbove(0) ? 'fair' : 'good';
  }
}

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);
