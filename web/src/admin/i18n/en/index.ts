import { ACCOUNT } from './account';
import { ANNOUNCEMENTS } from './announcements';
import { AUDIT } from './audit';
import { CALLS } from './calls';
import { CONVERSATIONS } from './conversations';
import { DEVICES } from './devices';
import { GROUPS } from './groups';
import { HEALTH } from './health';
import { IMPORTS } from './imports';
import { KEYS } from './keys';
import { LISTS } from './lists';
import { OVERVIEW } from './overview';
import { PARTS } from './parts';
import { PUSH } from './push';
import { SESSIONS } from './sessions';
import { USERS } from './users';
import { WEBHOOKS } from './webhooks';

/** Texts of the panel, one file per screen. */
export const PANEL_TEXTS = {
  title: 'Callboard administration',
  tagline: 'For administrators',
  notAdministrator: 'This account isn’t an administrator. Log out and use another account.',
  toClient: 'Web client',
  toDocs: 'API docs',
  menu: 'Menu',
  timeZone: 'Times in {{zone}}',
  skip: 'Skip to content',
  palette: {
    title: 'Search or jump to',
    placeholder: 'Pages, users, devices, groups',
    searching: 'Searching…',
    found_one: '{{count}} result',
    found_other: '{{count}} results',
    kinds: { screens: 'Pages', users: 'Users', devices: 'Devices', groups: 'Device groups' },
  },
  screens: {
    overview: 'Overview',
    users: 'Users',
    groups: 'Device groups',
    devices: 'Devices',
    announcements: 'Announcements',
    conversations: 'Conversations',
    calls: 'Calls',
    sessions: 'Sessions',
    audit: 'Audit log',
    webhooks: 'Webhooks',
    keys: 'API keys',
    health: 'Health',
    account: 'Your account',
  },
  parts: PARTS,
  push: PUSH,
  lists: LISTS,
  imports: IMPORTS,
  overview: OVERVIEW,
  users: USERS,
  groups: GROUPS,
  devices: DEVICES,
  announcements: ANNOUNCEMENTS,
  calls: CALLS,
  conversations: CONVERSATIONS,
  account: ACCOUNT,
  sessions: SESSIONS,
  audit: AUDIT,
  webhooks: WEBHOOKS,
  keys: KEYS,
  health: HEALTH,
} as const;
