import type { SHELL as EN } from '../en/shell';
import type { Translated } from '../../../shared/i18n/translated';

export const SHELL: Translated<typeof EN> = {
  unread: '{{number}} 条未读',
  panel: '管理',
  docs: '接口文档',
  offline: '当前处于离线状态，显示的内容可能不是最新的。',
  reconnecting: '连接已断开，正在重新连接…',
};
