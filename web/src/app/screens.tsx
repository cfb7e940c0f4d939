import { type LazyPart, lazyPart } from '../shared/parts/lazy-part';
import {
  CallWindow,
  ChatScreen,
  ChatSide,
  Finder,
  ForwardDialog,
  NewCall,
  NewConversation,
  VirtualConversations,
} from './lazy-parts';
import { loadSettingsTexts } from './settings/settings-texts';

export type ScreenName = 'conversations' | 'contacts' | 'calls' | 'notifications' | 'settings';

export interface Screen {
  name: ScreenName;
  /** Route patterns of the screen; the first one is the target of its menu item. */
  paths: readonly string[];
  component: LazyPart<object>;
}

/** Screens in the order of the menu. Each is a separate chunk. */
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
    component: lazyPart(async () => {
      const [{ SettingsScreen }] = await Promise.all([
        import('./settings/settings-screen'),
        loadSettingsTexts(),
      ]);
      return SettingsScreen;
    }),
  },
];

/** Chunks to prefetch, the most likely ones first. */
export const PARTS = [
  ChatScreen,
  CallWindow,
  ...SCREENS.map(({ component }) => component),
  Finder,
  NewConversation,
  ForwardDialog,
  ChatSide,
  NewCall,
  VirtualConversations,
];
