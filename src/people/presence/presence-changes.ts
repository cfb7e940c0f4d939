import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/clock';
import { CONFIG, type Config } from '../../config/config';
import { onCommit } from '../../database/transaction-hooks';
import { EventsService } from '../../events/events.service';
import { UserChanges } from '../../identity/user-changes';
import { noteChanges } from './presence.store';

/** Name of the signal between instances for users whose presence may have changed. Its body is an array of user ids. */
export const PRESENCE_SIGNAL = 'presence';

/** Changes to the visibility of presence: blocks and the setting `presence_visible`. */
@Injectable()
export class PresenceChanges implements OnModuleInit {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly events: EventsService,
    private readonly clock: Clock,
    private readonly users: UserChanges,
  ) {}

  onModuleInit(): void {
    this.users.onChange((em, { id }, fields) =>
      fields.includes('presence_visible') ? this.mark(em, [id]) : undefined,
    );
  }

  /**
   * Marks users as changed. After the commit, presence streams of their watchers, and their own presence streams, are
   * updated.
   */
  async mark(em: EntityManager, userIds: readonly number[]): Promise<void> {
    if (!this.config.people.presence) return;
    const changes = userIds.map((userId) => ({ userId, lastSeenAt: null }));
    await noteChanges(em, changes, this.clock.now());
    onCommit(em, {
      afterCommit: () => this.events.signal(PRESENCE_SIGNAL, userIds),
    });
  }
}
