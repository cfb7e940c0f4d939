export const SHELL = {
  unread: '{{number}} unread',
  panel: 'Admin',
  docs: 'API docs',
  offline: 'You are offline. What you see may be out of date.',
  reconnecting: 'The connection is lost. Connecting again…',
} as const;
