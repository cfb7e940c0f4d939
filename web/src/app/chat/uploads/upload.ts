import type { CallboardError, SendMessageRequest } from '@callboard/client';
import type { Recording } from '../voice/recorder';

export type UploadType = 'image' | 'audio' | 'video' | 'file';

/** The message in which a file is sent. */
export interface UploadMessage {
  clientMsgId: string;
  replyToId: number | null;
  /** A text that is sent after the files. */
  caption?: SendMessageRequest;
}

/** Additional data of a recorded file. */
export type RecordingParts = Omit<Recording, 'file'>;

/** A recording with the id of the message that it replies to; null if none. */
export interface VoiceMessage extends Recording {
  replyToId: number | null;
}

/** A file that is attached to a message which is not sent yet, as it is stored in the browser. */
export interface StoredUpload {
  id: string;
  userId: number;
  conversationId: number;
  /** When it was attached, in milliseconds since 1970, which is the order of the files. */
  attachedAt: number;
  file: Blob;
  name: string;
  type: UploadType;
  /** Duration of a recording in whole seconds; absent if unknown. */
  duration?: number;
  /** Levels of a voice message: at most 100 integers from 0 to 100. */
  waveform?: number[];
  /** The uploaded attachment, and when it was uploaded, in milliseconds since 1970. */
  uploaded?: { attachmentId: number; at: number };
  /** The message in which it is sent; absent while it is in the composer. */
  message?: UploadMessage;
}

/** A file with the state of its upload in this tab. */
export interface Upload extends StoredUpload {
  /** Share of the bytes that are sent, from 0 to 1. */
  progress: number;
  /** Why the last attempt failed; transient errors are retried by themselves. */
  error: CallboardError | undefined;
  /** `blob:` URL of the file, for its preview. */
  url: string;
}

/** Maximum number of pictures or videos in one message. */
export const ALBUM_SIZE = 10;

/** The service deletes unsent attachments after a day; older ones are uploaded again. */
const MAX_AGE_MS = 20 * 3_600_000;

/** Pictures that the service converts. Others, such as HEIC and SVG, are sent as files. */
const PICTURE = /^image\/(jpeg|png|webp|gif)$/;
const VIDEO = /^video\/(mp4|webm|quicktime)$/;
const AUDIO = /^audio\/(mpeg|mp4|aac|x-m4a|ogg|wav|x-wav|webm|amr)$/;

/** Returns the type of message for a file, by the media type that the browser states. */
export function toUploadType(mediaType: string): UploadType {
  const [plain = ''] = mediaType.split(';');
  if (PICTURE.test(plain)) return 'image';
  if (VIDEO.test(plain)) return 'video';
  return AUDIO.test(plain) ? 'audio' : 'file';
}

/**
 * Divides files into messages: an album for up to ten consecutive pictures, or videos, and a message for each other file. Keeps the
 * order.
 */
export function toMessages<T extends Pick<StoredUpload, 'type'>>(uploads: readonly T[]): T[][] {
  const messages: T[][] = [];
  for (const upload of uploads) {
    const album = messages.at(-1);
    const first = album?.[0];
    const fits =
      (upload.type === 'image' || upload.type === 'video') &&
      first?.type === upload.type &&
      album !== undefined &&
      album.length < ALBUM_SIZE;
    if (fits) album.push(upload);
    else messages.push([upload]);
  }
  return messages;
}

/** Converts the files of a message to the request that sends it; undefined until all of them are uploaded. */
export function toRequest(uploads: readonly StoredUpload[]): SendMessageRequest | undefined {
  const [first] = uploads;
  const ids = uploads.flatMap(({ uploaded }) => uploaded?.attachmentId ?? []);
  if (first?.message === undefined || ids.length < uploads.length) return undefined;
  const { clientMsgId, replyToId } = first.message;
  return {
    type: first.type,
    attachment_ids: ids,
    client_msg_id: clientMsgId,
    ...(replyToId !== null && { reply_to_id: replyToId }),
    ...(first.waveform !== undefined && { extra: { waveform: first.waveform } }),
  };
}

/** Adds the state of this tab to a stored file. */
export const toUpload = (stored: StoredUpload): Upload => ({
  ...stored,
  url: URL.createObjectURL(stored.file),
  progress: stored.uploaded === undefined ? 0 : 1,
  error: undefined,
});

/** Removes the state of this tab from a file. */
export function toStored(upload: Upload): StoredUpload {
  const { progress: _, error: __, url: ___, ...stored } = upload;
  return stored;
}

/** Whether an upload may succeed later: the error is transient, or the user may sign in again. */
export const isDelayed = ({ error }: Upload): boolean =>
  error !== undefined && (error.isTransient || error.code === 'signed_out' || error.code === 401);

/** Returns a file without its attachment if the service may have deleted that. */
export const withoutExpired = ({ uploaded, ...stored }: StoredUpload): StoredUpload =>
  uploaded === undefined || Date.now() - uploaded.at > MAX_AGE_MS ? stored : { ...stored, uploaded };
