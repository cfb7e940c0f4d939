import type { EntityManager } from 'typeorm';
import { updateRows } from '../../database/sql/statements';
import { MessageEntity } from '../entities/message.entity';
import type { MessageRow } from './message.store';

/** Replaces the content of a message; the previous content is not kept. The caller holds the conversation lock. */
export async function editMessage(
  em: EntityManager,
  { conversation_id, seq }: MessageRow,
  change: { content: string; edited_at: Date },
): Promise<void> {
  await updateRows(em, MessageEntity, { conversation_id, seq }, change);
}
