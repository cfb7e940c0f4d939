import { createHash } from 'node:crypto';
import { checkText, checkUrl } from '../../common/input/fields';
import type { Saying } from '../../common/words/words';

/* What a message may hold, and when two contents are the same (contract 6). Pure. */

export const MESSAGE_TYPES = ['text', 'image', 'file', 'audio', 'video', 'location'] as const;
export type MessageType = (typeof MESSAGE_TYPES)[number];

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

/** 43 characters that are the same for the same type, content and extra, in whatever order extra's keys came. */
export function contentHash({ type, content, extra }: MessageContent): string {
  const canonical = JSON.stringify([type, content, extra ?? null], sortKeys);
  return createHash('sha256').update(canonical).digest('base64url');
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
