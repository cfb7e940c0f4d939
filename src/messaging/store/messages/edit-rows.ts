import type { EntityManager } from 'typeorm';
import { updateRows } from '../../../database/rows';
import { MessageEntity } from '../../entities/message.entity';
import type { Message } from '../message.queries';

/** Gives a message another content. What was there before is kept nowhere. The conversation is under its lock. */
export async function editMessage(
  em: EntityManager,
  { conversation_id, seq }: Message,
  change: { content: string; edited_at: Date },
): Promise<void> {
  await updateRows(em, MessageEntity, { conversation_id, seq }, change);
}
