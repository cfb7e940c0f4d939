import type { PANEL_TEXTS as EN } from '../en';
import type { Translated } from '../../../shared/i18n/translated';
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

export const PANEL_TEXTS: Translated<typeof EN> = {
  title: 'Callboard 管理后台',
  tagline: '仅限管理员',
  notAdministrator: '此账号不是管理员。请退出后换用其他账号。',
  toClient: '网页客户端',
  toDocs: '接口文档',
  menu: '菜单',
  timeZone: '时区：{{zone}}',
  skip: '跳到正文',
  palette: {
    title: '搜索并跳转',
    placeholder: '页面、用户、设备、分组',
    searching: '正在搜索…',
    found_one: '{{count}} 个结果',
    found_other: '{{count}} 个结果',
    kinds: { screens: '页面', users: '用户', devices: '设备', groups: '设备分组' },
  },
  screens: {
    overview: '概览',
    users: '用户',
    groups: '设备分组',
    devices: '设备',
    announcements: '公告',
    conversations: '聊天会话',
    calls: '通话',
    sessions: '登录会话',
    audit: '审计日志',
    webhooks: 'Webhook',
    keys: 'API 密钥',
    health: '运行状况',
    account: '您的账号',
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
};
