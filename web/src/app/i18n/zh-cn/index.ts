import { ATTACHMENTS } from './attachments';
import type { CLIENT_TEXTS as EN } from '../en';
import type { Translated } from '../../../shared/i18n/translated';
import { ATTENTION } from './attention';
import { CALLS } from './calls';
import { CHAT } from './chat';
import { CONTACTS } from './contacts';
import { CONVERSATIONS } from './conversations';
import { NOTIFICATIONS } from './notifications';
import { SHELL } from './shell';

export const CLIENT_TEXTS: Translated<typeof EN> = {
  title: 'Callboard',
  tagline: '通话、消息与通知，尽在一处',
  menu: '菜单',
  notFound: '页面不存在。',
  screens: {
    conversations: '会话',
    contacts: '联系人',
    calls: '通话',
    notifications: '通知',
    settings: '设置',
  },
  attachments: ATTACHMENTS,
  attention: ATTENTION,
  calls: CALLS,
  chat: CHAT,
  contacts: CONTACTS,
  conversations: CONVERSATIONS,
  notifications: NOTIFICATIONS,
  shell: SHELL,
};
