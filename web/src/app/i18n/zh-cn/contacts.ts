import type { CONTACTS as EN } from '../en/contacts';
import type { Translated } from '../../../shared/i18n/translated';

export const CONTACTS: Translated<typeof EN> = {
  search: '查找用户',
  directory: {
    exact: '输入完整的账号或编号查找。',
    open: '可按姓名的一部分、完整账号或编号查找。',
    off: '本服务未开放用户查找。下方是与你有会话的人。',
  },
  show: '显示',
  known: '会话中的人',
  blocked: '已屏蔽',
  searching: '正在查找…',
  found: '查找结果',
  foundCount: '找到 {{number}} 人',
  nobody: '没有找到。请检查输入是否与对方填写的一致。',
  knowsNobody: '还没有会话。可以在上方查找用户。',
  nobodyBlocked: '你没有屏蔽任何人。',
  choose: '选择一个人,即可发消息或通话。',
  back: '返回列表',
  online: '在线',
  lastSeen: '最近在线 {{time}}',
  yourself: '这是你自己。',
  inactive: '该账号已停用。',
  isBlocked: '你已屏蔽 {{name}}:双方无法互发消息或通话。',
  message: '发消息',
  block: '屏蔽',
  unblock: '解除屏蔽',
};
