import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/clock';
import { CONFIG, type Config } from '../../config/config';
import { Transactions } from '../../database/transactions';
import {
  type PresenceInSql,
  type PresenceSource,
  type Seen,
  UserPresence,
} from '../../identity/listing/user-presence';
import { onlineUsers, presencesOf } from './presence.store';

/** Provides presence to the user administration, which also sees users who hide their presence (API 3.2). */
@Injectable()
export class PresenceAdministration implements PresenceSource, OnModuleInit {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly users: UserPresence,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.users.register(this);
  }

  async of(userIds: readonly number[]): Promise<Map<number, Seen>> {
    if (!this.config.people.presence) return new Map();
    const presences = await presencesOf(this.transactions.read(), userIds, this.clock.now().getTime());
    return new Map(
      Array.from(presences, ([userId, { online, lastSeenAt }]) => [
        userId,
        { online, lastSeenAt: lastSeenAt === null ? null : new Date(lastSeenAt) },
      ]),
    );
  }

  inSql(em: EntityManager): PresenceInSql | undefined {
    if (!this.config.people.presence) return undefined;
    return { online: onlineUsers(em, this.clock.now().getTime()), seenIn: 'presence' };
  }
}
