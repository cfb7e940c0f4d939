declare module '../events/log/event-types' {
  interface EventPayloads {
    /** Whether the recipient has blocked `user_id`. Sent only to the blocking user. */
    'user.block_changed': { user_id: number; blocked: boolean };
  }
}
