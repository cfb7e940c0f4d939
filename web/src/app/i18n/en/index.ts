import { ATTACHMENTS } from './attachments';
import { ATTENTION } from './attention';
import { CALLS } from './calls';
import { CHAT } from './chat';
import { CONTACTS } from './contacts';
import { CONVERSATIONS } from './conversations';
import { NOTIFICATIONS } from './notifications';
import { SHELL } from './shell';

/** Texts of the client, one file per screen. */
export const CLIENT_TEXTS = {
  title: 'Callboard',
  tagline: 'Calls, messages and notifications, in one place',
  menu: 'Menu',
  notFound: 'Page not found.',
  screens: {
    conversations: 'Chats',
    contacts: 'Contacts',
    calls: 'Calls',
    notifications: 'Notifications',
    settings: 'Settings',
  },
  attachments: ATTACHMENTS,
  attention: ATTENTION,
  calls: CALLS,
  chat: CHAT,
  contacts: CONTACTS,
  conversations: CONVERSATIONS,
  notifications: NOTIFICATIONS,
  shell: SHELL,
} as const;
