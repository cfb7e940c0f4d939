export const SHELL = {
  unread: '{{number}} unread',
  panel: 'Admin',
  docs: 'API docs',
  offline: 'You’re offline. Information may be out of date.',
  reconnecting: 'Connection lost. Reconnecting…',
} as const;
