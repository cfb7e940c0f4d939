import { type ComponentType, lazy, type LazyExoticComponent } from 'react';

export type ScreenName = 'conversations' | 'contacts' | 'calls' | 'notifications' | 'settings';

export interface Screen {
  name: ScreenName;
  /** Its address, and those below it. */
  paths: readonly string[];
  component: LazyExoticComponent<ComponentType>;
}

/** The screens in the order of the menu, each a chunk of its own. */
export const SCREENS: readonly Screen[] = [
  {
    name: 'conversations',
    paths: ['/', '/conversations/:id?'],
    component: lazy(async () => ({
      default: (await import('./conversations/conversations-screen')).ConversationsScreen,
    })),
  },
  {
    name: 'contacts',
    paths: ['/contacts'],
    component: lazy(async () => ({ default: (await import('./contacts/contacts-screen')).ContactsScreen })),
  },
  {
    name: 'calls',
    paths: ['/calls', '/calls/:id'],
    component: lazy(async () => ({ default: (await import('./calls/calls-screen')).CallsScreen })),
  },
  {
    name: 'notifications',
    paths: ['/notifications'],
    component: lazy(async () => ({
      default: (await import('./notifications/notifications-screen')).NotificationsScreen,
    })),
  },
  {
    name: 'settings',
    paths: ['/settings'],
    component: lazy(async () => ({ default: (await import('./settings/settings-screen')).SettingsScreen })),
  },
];
