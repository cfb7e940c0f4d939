/** Tags under which the document groups operations, with their descriptions. */
export const TAGS: Readonly<Record<string, string>> = {
  Calls: 'Place, answer, end and follow calls between two users; media tokens and call history.',
  People: 'Find users, read profiles, block users, read presence.',
  Conversations:
    'Single chats and groups: the user’s list, members, and the user’s settings of each conversation.',
  Messages: 'Messages of a conversation: send, read, read receipts, edit, recall, reactions.',
  Attachments: 'Files of messages: upload them, and get their bytes by signed URLs.',
  Notifications: 'A user’s notifications with exact unread counts; sending is for administrators.',
  Preferences: 'What a user has chosen about notifications and pushes: by type, quiet hours, do-not-disturb.',
  Announcements: 'Notifications sent to more than one user: list, reach, recall; for administrators.',
  Events: 'Events of a user, as an open stream or by polling; both read the same log, ordered by a cursor.',
  Identity: 'Log-in, token refresh, the user’s own account and sessions.',
  Clients: 'Configuration that an app needs before log-in.',
  Users: 'User accounts, for administrators.',
  Audit: 'Audit log of changes, whose rows never change; for administrators, and for keys with `audit:read`.',
  Keys: 'API keys of integrations, each with its scopes and rate limit; for administrators, not for keys.',
  'Device groups': 'The tree of device groups, for administrators.',
  Devices: 'Devices in the groups, such as door stations, panels and phones; for administrators.',
  Webhooks:
    'Endpoints that receive domain events, signed as Standard Webhooks, and their deliveries; for administrators.',
  Push: 'Terminals that receive pushes while their app sleeps; configuration, receipts and tests.',
  System: 'Health of the service and its jobs, and its configuration; for administrators.',
  Statistics: 'Daily metrics and current totals, for administrators.',
  'Media webhooks': 'Webhooks of the media provider about calls; signed by the provider, not for clients.',
  Operations:
    'Health and metrics for orchestrators and Prometheus; without the envelope and without a user token.',
};
