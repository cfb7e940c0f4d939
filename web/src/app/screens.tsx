import { type LazyPart, lazyPart } from '../shared/parts/lazy-part';

export type ScreenName = 'conversations' | 'contacts' | 'calls' | 'notifications' | 'settings';

export interface Screen {
  name: ScreenName;
  /** Its address, and those below it. */
  paths: readonly string[];
  component: LazyPart<object>;
}

/** The screens in the order of the menu, each a chunk of its own. */
export const SCREENS: readonly Screen[] = [
  {
    name: 'conversations',
    paths: ['/', '/conversations/:id?'],
    component: lazyPart(
      async () => (await import('./conversations/conversations-screen')).ConversationsScreen,
    ),
  },
  {
    name: 'contacts',
    paths: ['/contacts'],
    component: lazyPart(async () => (await import('./contacts/contacts-screen')).ContactsScreen),
  },
  {
    name: 'calls',
    paths: ['/calls', '/calls/:id'],
    component: lazyPart(async () => (await import('./calls/calls-screen')).CallsScreen),
  },
  {
    name: 'notifications',
    paths: ['/notifications'],
    component: lazyPart(
      async () => (await import('./notifications/notifications-screen')).NotificationsScreen,
    ),
  },
  {
    name: 'settings',
    paths: ['/settings'],
    component: lazyPart(async () => (await import('./settings/settings-screen')).SettingsScreen),
  },
];

/** The chat that is open. */
export const ChatScreen = lazyPart(async () => (await import('./chat/chat-screen')).ChatScreen);

/** The window of a call. */
export const CallWindow = lazyPart(async () => (await import('./calls/window/call-window')).CallWindow);

/** All that a visit may need, in the order of how likely that is. */
export const PARTS = [ChatScreen, CallWindow, ...SCREENS.map(({ component }) => component)];
