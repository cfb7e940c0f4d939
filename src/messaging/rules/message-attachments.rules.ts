import type { DescribedAttachment } from '../../attachments/views/attachment.views';
import type { Extra, MessageType } from './message-content.rules';

/* Attachments of messages. Pure. */

/** An attachment as its message stores it. Its bytes never change, so the row is not read again. */
export type MessageAttachment = DescribedAttachment;

/** Whether these attachments can be sent as a message of a type: all have the type, and several are an album. */
export const areSendableAs = (
  type: MessageType | undefined,
  attachments: readonly { type: MessageType }[],
): boolean =>
  attachments.every((attachment) => attachment.type === type) &&
  (attachments.length <= 1 || type === 'image' || type === 'video');

/** Returns the fields of an attachment that are stored with its message. */
export const toMessageAttachment = (attachment: MessageAttachment): MessageAttachment => ({
  id: attachment.id,
  type: attachment.type,
  name: attachment.name,
  extension: attachment.extension,
  size: attachment.size,
  mime_type: attachment.mime_type,
  width: attachment.width,
  height: attachment.height,
  duration: attachment.duration,
  preview: attachment.preview,
  has_thumbnail: attachment.has_thumbnail,
});

/** Returns the ids of all files that attachments of a message use: their own, and those of posters. */
export const usedAttachmentIdsIn = (attachments: readonly MessageAttachment[]): number[] =>
  attachments.flatMap(({ id, poster }) => (poster === undefined ? [id] : [id, poster.id]));

/** Returns `extra` of a message: that of the client, with the known properties of the first attachment. */
export function extraWith(
  extra: Extra | null,
  { name, size, mime_type, width, height, duration, poster }: MessageAttachment,
): Extra {
  const properties = { name, size, mime_type, width, height, duration, poster_attachment_id: poster?.id };
  const known = Object.entries(properties).filter(([, value]) => value !== null && value !== undefined);
  return { ...extra, ...Object.fromEntries(known) };
}

/** Parses the stored attachments of a message, which are JSON; null: none. */
export const attachmentsIn = (stored: string | null): readonly MessageAttachment[] =>
  stored === null ? NO_ATTACHMENTS : (JSON.parse(stored) as MessageAttachment[]);

/** Returns attachments as they are stored. */
export const storedAttachments = (attachments: readonly MessageAttachment[]): string | null =>
  attachments.length === 0 ? null : JSON.stringify(attachments);

export const NO_ATTACHMENTS: readonly MessageAttachment[] = [];
