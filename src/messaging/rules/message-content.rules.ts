import { createHash } from 'node:crypto';
import { canonicalJson } from '../../common/canonical-json';
import { checkText, checkUrl } from '../../common/input/fields';
import type { LocalizedMessage } from '../../common/i18n/catalogue';

/* Validation of the content of messages, and comparison of two contents (API 8.4). Pure. */

export const MESSAGE_TYPES = ['text', 'image', 'file', 'audio', 'video', 'location'] as const;
export type MessageType = (typeof MESSAGE_TYPES)[number];

/** Additional data of a message: the name of a file, the duration of a recording … */
export type Extra = Record<string, unknown>;

/** Parses stored additional data, which is JSON. */
export const extraOf = (stored: string | null): Extra | null =>
  stored === null ? null : (JSON.parse(stored) as Extra);

export interface MessageContent {
  type: MessageType;
  content: string;
  extra?: Extra;
}

export const MAX_TEXT = 5000;
export const MAX_EXTRA_BYTES = 4096;
const MAX_URL = 2000;
const MAX_WAVEFORM_BARS = 100;
const MAX_LEVEL = 100;

/** Maximum number of pictures or videos of a message. */
export const MAX_ATTACHMENTS = 10;

/** The fields of a request that name the attachments of a message. */
export interface AttachmentIds {
  attachment_id?: number;
  attachment_ids?: readonly number[];
  /** The image that is shown before the first video is played. */
  poster_attachment_id?: number;
}

/** Returns the ids of the attachments of a request, in the order of the message; `attachment_id` is the short form. */
export const attachmentIdsOf = ({ attachment_id, attachment_ids }: AttachmentIds): readonly number[] =>
  attachment_ids ?? (attachment_id === undefined ? [] : [attachment_id]);

/** Returns the ids of all attachments that a request uses: those of the message, and its poster. */
export const usedAttachmentIdsOf = (sent: AttachmentIds): readonly number[] =>
  sent.poster_attachment_id === undefined
    ? attachmentIdsOf(sent)
    : [...attachmentIdsOf(sent), sent.poster_attachment_id];

/** Returns the name of the field that `attachmentIdsOf` reads. */
export const attachmentField = ({ attachment_ids }: AttachmentIds): keyof AttachmentIds =>
  attachment_ids === undefined ? 'attachment_id' : 'attachment_ids';

const POSITION = /^(-?\d{1,2}(?:\.\d+)?),(-?\d{1,3}(?:\.\d+)?)$/;
const MAX_LATITUDE = 90;
const MAX_LONGITUDE = 180;

/** Validates the content of a message of this type. Returns the violation (API 1.4), or undefined. */
export function contentProblem(type: unknown, content: unknown): LocalizedMessage | undefined {
  if (typeof content === 'string' && content.trim() === '') return 'required';
  if (type === 'text') return checkText(content, { max: MAX_TEXT });
  if (type === 'location')
    return checkText(content, { max: MAX_URL }) ?? (isPosition(content) ? undefined : 'invalid');
  return checkUrl(content, MAX_URL);
}

/** Whether the additional data that the service knows is valid: the `waveform` of a recording is at most 100 integers from 0 to 100. */
export function isValidExtra(type: unknown, { waveform }: Extra): boolean {
  if (type !== 'audio' || waveform === undefined) return true;
  return Array.isArray(waveform) && waveform.length <= MAX_WAVEFORM_BARS && waveform.every(isLevel);
}

const isLevel = (value: unknown): boolean =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_LEVEL;

/** Whether the content is `lat,lng` in degrees. */
function isPosition(content: unknown): boolean {
  const [, latitude, longitude] = POSITION.exec(String(content)) ?? [];
  return (
    latitude !== undefined &&
    Math.abs(Number(latitude)) <= MAX_LATITUDE &&
    Math.abs(Number(longitude)) <= MAX_LONGITUDE
  );
}

/** The content of a request to send: a message, or with `forward_id` a message to forward. */
export interface SentContent extends Partial<MessageContent>, AttachmentIds {
  reply_to_id?: number;
  mentions?: readonly number[];
  mention_all?: boolean;
  forward_id?: number;
}

/**
 * Returns a hash of 43 characters that is the same for the same message. It covers type, content and extra (with its
 * keys in any order), attachments and poster, or instead of these the forwarded message; and the replied message and the mentions
 * (in any order), as they were requested.
 */
export function contentHash(sent: SentContent): string {
  const { type, content, extra, forward_id, reply_to_id, mentions = [], mention_all } = sent;
  const attachments = attachmentIdsOf(sent);
  const body = forward_id === undefined ? [type, content ?? null, extra ?? null] : [];
  const more = {
    forward_id,
    attachments: attachments.length === 0 ? undefined : attachments,
    poster: sent.poster_attachment_id,
    reply_to_id,
    mentions: mentions.length === 0 ? undefined : [...new Set(mentions)].toSorted((a, b) => a - b),
    mention_all: mention_all === true ? true : undefined,
  };
  // Without any of these fields the hash is the same as before they were introduced.
  const hasMore = Object.values(more).some((value) => value !== undefined);
  const canonical = canonicalJson(hasMore ? [...body, more] : body);
  return createHash('sha256').update(canonical).digest('base64url');
}
