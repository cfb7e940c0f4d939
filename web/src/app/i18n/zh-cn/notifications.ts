import type { NOTIFICATIONS as EN } from '../en/notifications';
import type { Translated } from '../../../shared/i18n/translated';

export const NOTIFICATIONS: Translated<typeof EN> = {
  show: '筛选',
  all: '全部',
  unread: '未读',
  isUnread: '（未读）',
  read: '已读',
  kind: '类型',
  everyKind: '全部类型',
  kindCount: '{{kind}}（{{number}} 条未读）',
  kinds: {
    announcement: '公告',
    call_missed: '未接来电',
    order: '订单',
    system: '系统',
    webhook_disabled: '回调地址',
  },
  markRead: '将“{{title}}”标为已读',
  markUnread: '将“{{title}}”标为未读',
  markAll: '全部标为已读',
  delete: '删除“{{title}}”',
  deleteShort: '删除',
  held: '查看 {{number}} 条新通知',
  more: '查看更早的通知',
  none: '还没有通知。',
  noneUnread: '全部已读。',
};
