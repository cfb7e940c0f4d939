import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { OwnUserResponse } from '../identity/dto/user-responses.dto';
import { UserChanges } from '../identity/user-changes';
import { EventsService } from './events.service';

declare module './log/event-types' {
  interface EventPayloads {
    'user.updated': { user: OwnUserResponse };
  }
}

/**
 * Publishes `user.updated` when a user's own name or picture changes. `identity` must not depend on the events module.
 */
@Injectable()
export class UserEvents implements OnModuleInit {
  constructor(
    private readonly events: EventsService,
    private readonly changes: UserChanges,
  ) {}

  onModuleInit(): void {
    this.changes.onChange((em, user) =>
      this.events.append(em, [{ userId: user.id, type: 'user.updated', payload: { user } }]),
    );
  }
}
