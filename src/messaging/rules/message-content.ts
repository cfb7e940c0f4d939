import { createHash } from 'node:crypto';
import { canonicalJson } from '../../common/canonical-json';
import { checkText, checkUrl } from '../../common/input/fields';
import type { Saying } from '../../common/words/words';

/* What a message may hold, and when two contents are the same (contract 6). Pure. */

export const MESSAGE_TYPES = ['text', 'image', 'file', 'audio', 'video', 'location'] as const;
export type MessageType = (typeof MESSAGE_TYPES)[number];

/** What somebody has said, or what has happened in the conversation (contract 16.3). */
export type MessageKind = 'message' | 'notice';

/** Additional information of a message that is not text: a file's name, a recording's duration … */
export type Extra = Record<string, unknown>;

/** The additional information as it is stored, which is JSON. */
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

const POSITION = /^(-?\d{1,2}(?:\.\d+)?),(-?\d{1,3}(?:\.\d+)?)$/;
const MAX_LATITUDE = 90;
const MAX_LONGITUDE = 180;

/** What is wrong with the content of a message of this type, in the contract's words; undefined when nothing is. */
export function contentProblem(type: unknown, content: unknown): Saying | undefined {
  if (typeof content === 'string' && content.trim() === '') return '字段不能为空';
  if (type === 'text') return checkText(content, { max: MAX_TEXT });
  if (type === 'location')
    return checkText(content, { max: MAX_URL }) ?? (isPosition(content) ? undefined : '取值无效');
  return checkUrl(content, MAX_URL);
}

/** `lat,lng` in degrees. */
function isPosition(content: unknown): boolean {
  const [, latitude, longitude] = POSITION.exec(String(content)) ?? [];
  return (
    latitude !== undefined &&
    Math.abs(Number(latitude)) <= MAX_LATITUDE &&
    Math.abs(Number(longitude)) <= MAX_LONGITUDE
  );
}

/** What a sender sends: a message, or with `forward_id` that one once more. */
export interface SentContent extends Partial<MessageContent> {
  reply_to_id?: number;
  mentions?: readonly number[];
  mention_all?: boolean;
  forward_id?: number;
}

/**
 * 43 characters that are the same for the same message: of type, content and extra (in whatever order its keys came), or
 * instead of these the one forwarded, and of what it answers and whom it mentions (in whatever order) as it was asked for.
 */
export function contentHash(sent: SentContent): string {
  const { type, content, extra, forward_id, reply_to_id, mentions = [], mention_all } = sent;
  const said = forward_id === undefined ? [type, content, extra ?? null] : [];
  const more = {
    forward_id,
    reply_to_id,
    mentions: mentions.length === 0 ? undefined : [...new Set(mentions)].toSorted((a, b) => a - b),
    mention_all: mention_all === true ? true : undefined,
  };
  // Of a message that has none of these it is what it was before there were any.
  const isMore = Object.values(more).some((value) => value !== undefined);
  const canonical = canonicalJson(isMore ? [...said, more] : said);
  return createHash('sha256').update(canonical).digest('base64url');
}
