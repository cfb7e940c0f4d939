/** Types of attachments, which are also types of messages. */
export const ATTACHMENT_TYPES = ['image', 'audio', 'video', 'file'] as const;
export type AttachmentType = (typeof ATTACHMENT_TYPES)[number];

/** Type of a file by its bytes, as far as it is recognised. */
export interface FileKind {
  /** Type under which the file is stored. */
  type: AttachmentType;
  /** Media type; null if it is unknown. */
  mimeType: string | null;
  /** Extension of the URL, without the dot. */
  extension: string;
}

type MediaTypes = Readonly<Record<string, readonly [mimeType: string, extension: string]>>;

const IMAGES: MediaTypes = {
  'image/jpeg': ['image/jpeg', 'jpg'],
  'image/png': ['image/png', 'png'],
  'image/webp': ['image/webp', 'webp'],
  'image/gif': ['image/gif', 'gif'],
};

/** Containers of video are accepted as audio too: recorders of browsers write voice messages into them. */
const AUDIO: MediaTypes = {
  'audio/mpeg': ['audio/mpeg', 'mp3'],
  'audio/x-m4a': ['audio/mp4', 'm4a'],
  'audio/mp4': ['audio/mp4', 'm4a'],
  'video/mp4': ['audio/mp4', 'm4a'],
  'audio/aac': ['audio/aac', 'aac'],
  'audio/ogg': ['audio/ogg', 'ogg'],
  'audio/wav': ['audio/wav', 'wav'],
  'audio/webm': ['audio/webm', 'webm'],
  'video/webm': ['audio/webm', 'webm'],
  'audio/amr': ['audio/amr', 'amr'],
};

const VIDEO: MediaTypes = {
  'video/mp4': ['video/mp4', 'mp4'],
  'video/x-m4v': ['video/mp4', 'mp4'],
  'video/webm': ['video/webm', 'webm'],
  'video/quicktime': ['video/quicktime', 'mov'],
};

const ACCEPTED: Readonly<Record<Exclude<AttachmentType, 'file'>, MediaTypes>> = {
  image: IMAGES,
  audio: AUDIO,
  video: VIDEO,
};

/** Accepted as `file` only: the codec of these pictures is not decoded. */
const HEIC = new Set(['image/heic', 'image/heif', 'image/heic-sequence', 'image/heif-sequence']);

const EXTENSION = /\.([a-z0-9]{1,10})$/i;

/**
 * Decides what an uploaded file is, by its bytes and never by its name or header. HEIC pictures become a `file`.
 * @param wanted type that the client has requested
 * @param sniffed media type of the bytes; undefined if they are not recognised
 * @param name name of the file; only its extension is used, and only for a `file`
 * @returns undefined if the bytes are not of the requested type
 */
export function kindOf(
  wanted: AttachmentType,
  sniffed: string | undefined,
  name: string,
): FileKind | undefined {
  const mimeType = sniffed?.replace(/;.*$/s, '').trim();
  if (wanted === 'file' || (wanted === 'image' && mimeType !== undefined && HEIC.has(mimeType)))
    return {
      type: 'file',
      mimeType: mimeType ?? null,
      extension: EXTENSION.exec(name)?.[1]?.toLowerCase() ?? 'bin',
    };
  const accepted = mimeType === undefined ? undefined : ACCEPTED[wanted][mimeType];
  if (accepted === undefined) return undefined;
  return { type: wanted, mimeType: accepted[0], extension: accepted[1] };
}
