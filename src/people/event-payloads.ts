declare module '../events/log/event-types' {
  interface EventPayloads {
    /** Whether its user has blocked `user_id` now; nobody else is told. */
    'user.block_changed': { user_id: number; blocked: boolean };
  }
}
