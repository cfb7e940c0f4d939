import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/clock';
import { UsersService } from '../../identity/users.service';
import { BroadcastEntity } from '../entities/broadcast.entity';
import { type Message, toStoredData } from '../rules/message';
import { ensureInboxes } from '../store/inbox-rows';
import { Inboxes } from './inboxes';

/** Sends to everybody: one row, whatever the number of users; each inbox takes it in when it is next looked at. */
@Injectable()
export class Broadcasts {
  constructor(
    private readonly inboxes: Inboxes,
    private readonly users: UsersService,
    private readonly clock: Clock,
  ) {}

  /**
   * Writes a broadcast; answers its id and how many users there are. Another one at the same moment takes the same id,
   * and one of the two transactions must start over: so ids are in the order of commit, and no inbox can pass over one
   * that was still on its way.
   */
  async send(
    em: EntityManager,
    { type, title, content, dedupeKey, data }: Message,
  ): Promise<{ id: number; created: number }> {
    const now = this.clock.now();
    await this.#ensureInboxesOfNewcomers(em, now);
    const id = ((await em.maximum(BroadcastEntity, 'id')) ?? 0) + 1;
    await em.insert(BroadcastEntity, {
      id,
      type,
      title,
      content,
      data: toStoredData(data),
      dedupe_key: dedupeKey ?? null,
      created_at: now,
    });
    this.inboxes.announceBroadcast(em);
    return { id, created: await this.users.count(em) };
  }

  /**
   * A user without an inbox gets the broadcasts dated after its own creation. For users that exist now, but whose
   * date is not before this broadcast's (the same millisecond, or a clock that is ahead), that rule would fail:
   * their inboxes are opened before it is written.
   */
  async #ensureInboxesOfNewcomers(em: EntityManager, now: Date): Promise<void> {
    await ensureInboxes(em, await this.users.findCreatedSince(now, em));
  }
}
