import {
  ApiOutlined,
  AuditOutlined,
  ClusterOutlined,
  DashboardOutlined,
  HeartOutlined,
  KeyOutlined,
  LaptopOutlined,
  MessageOutlined,
  NotificationOutlined,
  PhoneOutlined,
  SafetyOutlined,
  TeamOutlined,
  UserOutlined,
} from '@ant-design/icons';
import type { ReactNode } from 'react';
import { type LazyPart, lazyPart } from '../shared/parts/lazy-part';

export interface Screen {
  /** Name in the URL (`/admin/<name>`), and key of the title. */
  name: ScreenName;
  icon: ReactNode;
  component: LazyPart<object>;
  /** Whether the menu of screens leaves it out; it is reached from elsewhere. */
  isOutsideMenu?: boolean;
}

export type ScreenName =
  | 'overview'
  | 'users'
  | 'groups'
  | 'devices'
  | 'announcements'
  | 'conversations'
  | 'calls'
  | 'sessions'
  | 'audit'
  | 'webhooks'
  | 'keys'
  | 'health'
  | 'account';

/** The screens in the order of the menu. Each is a chunk of its own. */
export const SCREENS: readonly Screen[] = [
  {
    name: 'overview',
    icon: <DashboardOutlined />,
    component: lazyPart(async () => (await import('./overview/overview-screen')).OverviewScreen),
  },
  {
    name: 'users',
    icon: <TeamOutlined />,
    component: lazyPart(async () => (await import('./users/users-screen')).UsersScreen),
  },
  {
    name: 'groups',
    icon: <ClusterOutlined />,
    component: lazyPart(async () => (await import('./groups/groups-screen')).GroupsScreen),
  },
  {
    name: 'devices',
    icon: <LaptopOutlined />,
    component: lazyPart(async () => (await import('./devices/devices-screen')).DevicesScreen),
  },
  {
    name: 'announcements',
    icon: <NotificationOutlined />,
    component: lazyPart(
      async () => (await import('./announcements/announcements-screen')).AnnouncementsScreen,
    ),
  },
  {
    name: 'conversations',
    icon: <MessageOutlined />,
    component: lazyPart(
      async () => (await import('./conversations/conversations-screen')).ConversationsScreen,
    ),
  },
  {
    name: 'calls',
    icon: <PhoneOutlined />,
    component: lazyPart(async () => (await import('./calls/calls-screen')).CallsScreen),
  },
  {
    name: 'sessions',
    icon: <SafetyOutlined />,
    component: lazyPart(async () => (await import('./sessions/sessions-screen')).SessionsScreen),
  },
  {
    name: 'audit',
    icon: <AuditOutlined />,
    component: lazyPart(async () => (await import('./audit/audit-screen')).AuditScreen),
  },
  {
    name: 'webhooks',
    icon: <ApiOutlined />,
    component: lazyPart(async () => (await import('./webhooks/webhooks-screen')).WebhooksScreen),
  },
  {
    name: 'keys',
    icon: <KeyOutlined />,
    component: lazyPart(async () => (await import('./keys/keys-screen')).KeysScreen),
  },
  {
    name: 'health',
    icon: <HeartOutlined />,
    component: lazyPart(async () => (await import('./health/health-screen')).HealthScreen),
  },
  {
    name: 'account',
    icon: <UserOutlined />,
    isOutsideMenu: true,
    component: lazyPart(async () => (await import('./account/account-screen')).AccountScreen),
  },
];
