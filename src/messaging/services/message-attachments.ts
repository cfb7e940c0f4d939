import type { EntityManager } from 'typeorm';
import { addUses, type LockedAttachment, lockReady } from '../../attachments/store/attachment-uses.store';
import { BusinessError, invalidField } from '../../common/errors/business-error';
import type { SendMessageRequest } from '../dto/message-requests.dto';
import { attachmentField, attachmentIdsOf, usedIdsOf } from '../rules/attachment-ids.rules';
import {
  areSendableAs,
  type MessageAttachment,
  NO_ATTACHMENTS,
  toMessageAttachment,
  usedIdsIn,
} from '../rules/message-attachments.rules';
import type { MessageRow } from '../store/message.store';

/* The attachments of messages that are being sent (API 17.6). */

/** A message to send: the request, its sender, and the message that it forwards. */
interface AttachingSend {
  userId: number;
  body: SendMessageRequest;
  source: MessageRow | undefined;
}

/** Attachments by id, locked until the commit. */
export type LockedAttachments = ReadonlyMap<number, LockedAttachment>;

/** Locks the attachments of all sends with one statement; without attachments there is none. */
export function lockAttachments(
  em: EntityManager,
  sends: readonly AttachingSend[],
): Promise<LockedAttachments> {
  const ids = sends.flatMap(({ body, source }) => [
    ...usedIdsOf(body),
    ...usedIdsIn(source?.attachments ?? NO_ATTACHMENTS),
  ]);
  return lockReady(em, [...new Set(ids)]);
}

/**
 * Returns the attachments of a message to send, or the error of this send: ATTACHMENT_NOT_FOUND (unknown, deleted, or of
 * another user), VALIDATION (not of the type of the message, or a poster that is no image), MESSAGE_NOT_FOUND (those of the
 * forwarded message were deleted meanwhile).
 */
export function attachmentsFor(
  { userId, body, source }: AttachingSend,
  locked: LockedAttachments,
): readonly MessageAttachment[] | BusinessError {
  if (source !== undefined) {
    const areReady = usedIdsIn(source.attachments).every((id) => locked.has(id));
    return areReady ? source.attachments : new BusinessError('MESSAGE_NOT_FOUND');
  }
  const attachments = attachmentIdsOf(body).map((id) => locked.get(id));
  const own = attachments.filter((attachment) => attachment?.user_id === userId) as LockedAttachment[];
  if (own.length < attachments.length) return new BusinessError('ATTACHMENT_NOT_FOUND');
  if (!areSendableAs(body.type, own)) return invalidField(attachmentField(body), 'invalid');
  const poster = body.poster_attachment_id === undefined ? undefined : posterOf(userId, body, locked);
  if (poster instanceof BusinessError) return poster;
  // The poster is that of the first video, whose properties `extra` has too.
  return own.map((attachment, index) => ({
    ...toMessageAttachment(attachment),
    ...(index === 0 && poster !== undefined && { poster }),
  }));
}

function posterOf(
  userId: number,
  { poster_attachment_id }: SendMessageRequest,
  locked: LockedAttachments,
): MessageAttachment | BusinessError {
  const image = locked.get(poster_attachment_id ?? 0);
  if (image?.user_id !== userId) return new BusinessError('ATTACHMENT_NOT_FOUND');
  if (image.type !== 'image') return invalidField('poster_attachment_id', 'invalid');
  return toMessageAttachment(image);
}

/** Counts the uses of the attachments of new messages, whose rows `lockAttachments` has locked. */
export const countUses = (
  em: EntityManager,
  messages: readonly Pick<MessageRow, 'attachments'>[],
): Promise<void> =>
  addUses(
    em,
    messages.flatMap(({ attachments }) => usedIdsIn(attachments)),
  );
