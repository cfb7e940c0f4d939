import {
  ApiOutlined,
  AuditOutlined,
  ClusterOutlined,
  DashboardOutlined,
  HeartOutlined,
  KeyOutlined,
  LaptopOutlined,
  NotificationOutlined,
  PhoneOutlined,
  SafetyOutlined,
  TeamOutlined,
} from '@ant-design/icons';
import { type ComponentType, lazy, type LazyExoticComponent, type ReactNode } from 'react';

export interface Screen {
  /** Its address is `/admin/<name>`; its title is the text of this name. */
  name: ScreenName;
  icon: ReactNode;
  component: LazyExoticComponent<ComponentType>;
}

export type ScreenName =
  | 'overview'
  | 'users'
  | 'groups'
  | 'devices'
  | 'announcements'
  | 'calls'
  | 'sessions'
  | 'audit'
  | 'webhooks'
  | 'keys'
  | 'health';

/** The screens in the order of the menu, each a chunk of its own. */
export const SCREENS: readonly Screen[] = [
  {
    name: 'overview',
    icon: <DashboardOutlined />,
    component: lazy(async () => ({ default: (await import('./overview/overview-screen')).OverviewScreen })),
  },
  {
    name: 'users',
    icon: <TeamOutlined />,
    component: lazy(async () => ({ default: (await import('./users/users-screen')).UsersScreen })),
  },
  {
    name: 'groups',
    icon: <ClusterOutlined />,
    component: lazy(async () => ({ default: (await import('./groups/groups-screen')).GroupsScreen })),
  },
  {
    name: 'devices',
    icon: <LaptopOutlined />,
    component: lazy(async () => ({ default: (await import('./devices/devices-screen')).DevicesScreen })),
  },
  {
    name: 'announcements',
    icon: <NotificationOutlined />,
    component: lazy(async () => ({
      default: (await import('./announcements/announcements-screen')).AnnouncementsScreen,
    })),
  },
  {
    name: 'calls',
    icon: <PhoneOutlined />,
    component: lazy(async () => ({ default: (await import('./calls/calls-screen')).CallsScreen })),
  },
  {
    name: 'sessions',
    icon: <SafetyOutlined />,
    component: lazy(async () => ({ default: (await import('./sessions/sessions-screen')).SessionsScreen })),
  },
  {
    name: 'audit',
    icon: <AuditOutlined />,
    component: lazy(async () => ({ default: (await import('./audit/audit-screen')).AuditScreen })),
  },
  {
    name: 'webhooks',
    icon: <ApiOutlined />,
    component: lazy(async () => ({ default: (await import('./webhooks/webhooks-screen')).WebhooksScreen })),
  },
  {
    name: 'keys',
    icon: <KeyOutlined />,
    component: lazy(async () => ({ default: (await import('./keys/keys-screen')).KeysScreen })),
  },
  {
    name: 'health',
    icon: <HeartOutlined />,
    component: lazy(async () => ({ default: (await import('./health/health-screen')).HealthScreen })),
  },
];
