/** What a media provider tells of one participant, or of a whole channel, in the service's own words. */
export interface MediaWebhookEvent {
  /** The provider's id of the event: the same again is a repetition. */
  id: string;
  channel: string;
  /** `left`: for good. `lost`: perhaps not for good. `closed`: the channel is gone, and with it everybody. */
  kind: 'joined' | 'left' | 'lost' | 'closed';
  /** The participant's id in the channel; absent when the channel is closed. */
  uid?: number;
  /**
   * The place of this event among those of the same participant, as decimal digits; absent when the provider gives
   * none.
   */
  position?: string;
  /** Whether events at the same position are in order as they come (the provider's clock is a coarse one). */
  isCoarse: boolean;
  /** When it happened, in seconds since 1970, if the provider says so. */
  happenedAt?: number;
}

/** Reads what the configured media provider posts. */
export abstract class MediaWebhookReader {
  /**
   * The event in a request, or undefined when it is none that matters here (contract 3.5).
   * @throws {BusinessError} UNAUTHORIZED when the signature is not the provider's; MALFORMED_JSON or VALIDATION for a
   *   signed body that cannot be parsed
   */
  abstract read(
    body: Buffer,
    headers: Record<string, string | string[] | undefined>,
  ): Promise<MediaWebhookEvent | undefined>;
}

/** A number, or text as one; NaN for anything else, where `Number` may throw. */
export const toNumber = (value: unknown): number =>
  typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN;

/** Text as a uid: 1 to 2^32-1, else undefined. */
export function toUid(value: unknown): number | undefined {
  const uid = toNumber(value);
  return Number.isInteger(uid) && uid > 0 && uid < 2 ** 32 ? uid : undefined;
}
