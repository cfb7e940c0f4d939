import type { EntityManager } from 'typeorm';
import type { ConversationId } from '../../src/common/ids';
import { conversationsAfter } from '../../src/messaging/search/message-filters.store';
import { MAX_FILTERED_MESSAGES } from '../../src/messaging/search/pair-filter.rules';
import { buildNextFilters } from '../../src/messaging/search/search-index.service';

const BATCH_SIZE = 1_000;

/** Inserts the search filters of all messages. Otherwise the service would build them while it is measured. */
export async function seedMessageFilters(em: EntityManager): Promise<void> {
  let last: number | undefined = 0;
  while (last !== undefined) {
    const ids = await conversationsAfter(em, last, { minimum: MAX_FILTERED_MESSAGES, limit: BATCH_SIZE });
    for (const id of ids) {
      let hasMore = true;
      while (hasMore) hasMore = await buildNextFilters(em, id as ConversationId);
    }
    last = ids.at(-1);
  }
}
