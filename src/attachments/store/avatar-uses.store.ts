import type { EntityManager } from 'typeorm';
import { BusinessError } from '../../common/errors/business-error';
import { deleteRows, findRows, insertRows, updateRows } from '../../database/sql/statements';
import { AttachmentEntity } from '../entities/attachment.entity';
import { type AvatarOwner, AvatarUseEntity } from '../entities/avatar-use.entity';
import { addUses, lockReady, removeUses } from './attachment-uses.store';

/* Pictures of users and groups that are made of attachments, in the transaction that changes the picture. */

/** An attachment of which a picture was made. */
export interface MadeAvatar {
  attachmentId: number;
  /** Size of the picture. */
  bytes: number;
}

/**
 * Stores that the picture of an owner without one is made of an attachment. The caller has locked the owner.
 * @throws {BusinessError} ATTACHMENT_NOT_FOUND: deleted meanwhile
 */
export async function addAvatarUse(
  em: EntityManager,
  owner_type: AvatarOwner,
  owner_id: number,
  { attachmentId, bytes }: MadeAvatar,
): Promise<void> {
  if (!(await lockReady(em, [attachmentId])).has(attachmentId))
    throw new BusinessError('ATTACHMENT_NOT_FOUND');
  await addUses(em, [attachmentId]);
  await updateRows(em, AttachmentEntity, { id: attachmentId }, { avatar_bytes: bytes });
  await insertRows(em, AvatarUseEntity, [{ owner_type, owner_id, attachment_id: attachmentId }]);
}

/** Ends the use of attachments by pictures that are being replaced. The caller has locked the owners. */
export async function removeAvatarUses(
  em: EntityManager,
  owner_type: AvatarOwner,
  owner_id: readonly number[],
): Promise<void> {
  const uses = await findRows(em, AvatarUseEntity, { owner_type, owner_id });
  if (uses.length === 0) return;
  await deleteRows(em, AvatarUseEntity, { owner_type, owner_id });
  await removeUses(
    em,
    uses.map(({ attachment_id }) => attachment_id),
  );
}
