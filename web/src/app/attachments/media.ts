import type { Attachment, MessageResponse } from '@callboard/client';
import { safeUrl } from '../chat/message/safe-url';

/** A picture, recording or file of a message: an attachment, or the URL that a message of another server contains. */
export interface Medium {
  key: string;
  type: 'image' | 'audio' | 'video' | 'file';
  url: string;
  /** URL of a smaller picture; otherwise undefined. */
  thumbnailUrl?: string;
  /** Data URL to show until the picture is loaded. */
  preview?: string;
  /** Picture to show before a video is played. */
  poster?: string;
  name?: string;
  /** Size in bytes. */
  size?: number;
  mimeType?: string;
  /** Size of a picture in pixels. */
  width?: number;
  height?: number;
  /** In seconds. */
  duration?: number;
  /** Loudness of a recording over its time: at most 100 integers from 0 to 100. */
  waveform?: readonly number[];
}

/**
 * URLs with the address of the machine of a service that is developed, which other devices cannot reach: demo files, and signed
 * files of a service without `PUBLIC_URL`. The service also has them at the origin of its pages.
 */
const OF_THIS_SERVICE = /^http:\/\/localhost:\d+(\/(?:demo\/[\w.-]+|files\/[\w.-]+\?[\w.=&-]+))$/;

/** Returns the URL of a file that may be loaded; undefined for other schemes than http and https. */
export const mediaUrl = (text: string): string | undefined =>
  OF_THIS_SERVICE.exec(text)?.[1] ?? safeUrl(text);

/**
 * Returns the media of a message, in order; none if it has no file, or its URL cannot be loaded.
 * @param attachments newer attachments of the message, whose URLs have not expired
 */
export function mediaOf(
  { type, content, extra, attachments: original }: MessageResponse,
  attachments: readonly Attachment[] = original,
): Medium[] {
  if (type === 'text' || type === 'location') return [];
  const fields = readExtra(extra);
  if (attachments.length === 0) {
    const url = mediaUrl(content);
    return url === undefined ? [] : [{ ...fields, key: 'content', type, url }];
  }
  return attachments.flatMap((attachment, index) => {
    const url = mediaUrl(attachment.url);
    if (url === undefined) return [];
    const { id, name, size, preview, thumbnail_url: thumbnail, poster_url: poster } = attachment;
    return {
      key: String(id),
      type: attachment.type,
      url,
      thumbnailUrl: thumbnail === null ? undefined : mediaUrl(thumbnail),
      preview: preview ?? undefined,
      // `extra` describes the first one.
      poster: poster === null ? (index === 0 ? fields.poster : undefined) : mediaUrl(poster),
      name,
      size,
      mimeType: attachment.mime_type ?? undefined,
      width: attachment.width ?? undefined,
      height: attachment.height ?? undefined,
      duration: attachment.duration ?? undefined,
      waveform: fields.waveform,
    };
  });
}

/** Reads the fields that clients write into `extra`. Values of other types are ignored: any client can write any. */
function readExtra(extra: MessageResponse['extra']): Partial<Medium> {
  const text = (name: string): string | undefined => {
    const value = extra?.[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const positive = (name: string): number | undefined => {
    const value = extra?.[name];
    return typeof value === 'number' && value > 0 ? value : undefined;
  };
  const waveform = extra?.['waveform'];
  return {
    name: text('name'),
    mimeType: text('mime_type'),
    poster: mediaUrl(text('poster') ?? ''),
    size: positive('size'),
    width: positive('width'),
    height: positive('height'),
    duration: positive('duration'),
    waveform: isWaveform(waveform) ? waveform : undefined,
  };
}

const MAX_BARS = 100;

const isWaveform = (value: unknown): value is number[] =>
  Array.isArray(value) &&
  value.length > 1 &&
  value.length <= MAX_BARS &&
  value.every((bar) => typeof bar === 'number' && bar >= 0 && bar <= 100);

/** Returns the kind of a file for its badge: the extension of its name in capitals, at most five letters. */
export const kindOf = ({ name = '' }: Medium): string => /\.(\w{1,5})$/.exec(name)?.[1]?.toUpperCase() ?? '';
