import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/clock';
import { CONFIG, type Config } from '../../config/config';
import { Transactions } from '../../database/transactions';
import { EventsService } from '../../events/events.service';
import { UserChanges } from '../../identity/user-changes';
import { noteChanges } from './presence.queries';

/** By this name instances tell each other whose presence may have changed: an array of user ids. */
export const PRESENCE_SIGNAL = 'presence';

/** What changes how people are seen, without their coming or going. */
@Injectable()
export class PresenceChanges implements OnModuleInit {
  readonly #isOn: boolean;

  constructor(
    @Inject(CONFIG) { people }: Config,
    private readonly transactions: Transactions,
    private readonly events: EventsService,
    private readonly clock: Clock,
    private readonly users: UserChanges,
  ) {
    this.#isOn = people.presence;
  }

  onModuleInit(): void {
    this.users.onChange((em, { id }, fields) =>
      fields.includes('presence_visible') ? this.mark(em, [id]) : undefined,
    );
  }

  /** Lets those who watch these users, or whom these users watch, look again once the running transaction has committed. */
  async mark(em: EntityManager, userIds: readonly number[]): Promise<void> {
    if (!this.#isOn) return;
    const changes = userIds.map((userId) => ({ userId, lastSeenAt: null }));
    await noteChanges(em, changes, this.clock.now());
    this.transactions.atEnd(em, {
      write: () => Promise.resolve(),
      committed: () => this.events.signal(PRESENCE_SIGNAL, userIds),
    });
  }
}
