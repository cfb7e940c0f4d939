/** An event of a media provider about one participant or a whole channel, in a provider-independent form. */
export interface MediaWebhookEvent {
  /** The provider's id of the event. A repeated id is a repeated event. */
  id: string;
  channel: string;
  /**
   * `left`: permanently. `lost`: the participant may come back. `closed`: the channel and all participants are gone.
   */
  kind: 'joined' | 'left' | 'lost' | 'closed';
  /** The participant's id in the channel; absent for `closed`. */
  uid?: number;
  /**
   * Sequence number of this event among those of the same participant, as decimal digits; absent if the provider sends
   * none.
   */
  position?: string;
  /**
   * Whether events with equal positions are applied in order of arrival, because the position is a coarse timestamp.
   */
  isCoarse: boolean;
  /** Unix time of the event in seconds, if the provider sends it. */
  happenedAt?: number;
}

/** Verifies and reads the webhooks of the configured media provider. */
export abstract class MediaWebhookReader {
  /**
   * Returns the event in a request; undefined if it is irrelevant to calls (API 6.2).
   * @throws {BusinessError} UNAUTHORIZED if the signature is not the provider's; MALFORMED_JSON or VALIDATION for a
   *   signed body that cannot be parsed
   */
  abstract read(
    body: Buffer,
    headers: Record<string, string | string[] | undefined>,
  ): Promise<MediaWebhookEvent | undefined>;
}

/** Converts a number or text to a number. Returns NaN for other values, for which `Number` may throw. */
export const toNumber = (value: unknown): number =>
  typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN;

/** Converts a number or text to a uid, 1 to 2^32-1. Returns undefined for other values. */
export function toUid(value: unknown): number | undefined {
  const uid = toNumber(value);
  return Number.isInteger(uid) && uid > 0 && uid < 2 ** 32 ? uid : undefined;
}
