/** The headings under which the document lists operations, and what they hold. */
export const TAGS: Readonly<Record<string, string>> = {
  Calls:
    'Placing, answering, ending and following calls between two users; their media tokens and their history.',
  People: 'Finding users, their profiles, blocking them, and who is there.',
  Conversations: 'Single chats and groups: one’s list of them, their members, and what one has made of each.',
  Messages: 'The history of a conversation: sending, reading, who has read, editing, taking back, reactions.',
  Notifications: 'A user’s inbox of notices, with exact unread counts; sending them is for administrators.',
  Announcements:
    'What was sent to more than one user, how far it has come, and taking it back; for administrators.',
  Events: 'What happens to a user, as a stream that stays open or polled; one log, numbered by its cursor.',
  Identity: 'Logging in and staying logged in, one’s own account, and one’s sessions.',
  Clients: 'What an app must know before anybody has logged in.',
  Users: 'The people who may use the service, for administrators.',
  Audit:
    'Who has done what, in rows that nothing changes; for administrators, and for keys with `audit:read`.',
  Keys: 'By which back ends act, each with scopes and a rate of its own; for administrators, closed to keys.',
  'Device groups': 'The tree in which an organisation keeps its devices, for administrators.',
  Devices: 'What stands in the groups: door stations, panels, phones; for administrators.',
  Webhooks:
    'Where back ends are told of what happens, signed by Standard Webhooks, and what was sent; for administrators.',
  System: 'How the parts of the service stand, and how it is configured; for administrators.',
  Statistics: 'What has happened by day, and what there is at the moment; for administrators.',
  'Media webhooks': 'What the media provider reports of calls; signed by it, not for clients.',
  Operations: 'Health and figures for orchestrators; outside the envelope and without a token.',
};
