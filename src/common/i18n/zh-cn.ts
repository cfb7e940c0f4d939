import { ERRORS, type ErrorKey } from '../errors/error-catalogue';
import type { MessageCatalogue } from './catalogue';
import { ZH_CN_TEXTS } from './zh-cn-texts';

/** Chinese, the default language. Error messages are defined in the error catalogue, with their codes. */
export const ZH_CN: MessageCatalogue = {
  messages: ZH_CN_TEXTS,
  errors: Object.fromEntries(Object.entries(ERRORS).map(([key, { message }]) => [key, message])) as Record<
    ErrorKey,
    string
  >,

  tooLong: (characters) => `长度不能超过 ${characters} 个字符`,
  tooShort: (characters) => `长度不能少于 ${characters} 个字符`,
  tooSmall: (least) => `不能小于 ${least}`,
  tooLarge: (most) => `不能大于 ${most}`,
  tooMany: (most) => `数量不能超过 ${most}`,

  unknownUsers: (ids) => `用户不存在: ${ids.join(', ')}`,
  unknownDevices: (ids) => `设备不存在: ${ids.join(', ')}`,
  unknownGroups: (ids) => `分组不存在: ${ids.join(', ')}`,
  tooDeep: (levels) => `分组层级不能超过 ${levels} 级`,

  recalled: ({ is_self, name }) => `${is_self ? '你' : (name ?? '')}撤回了一条消息`,
  userWithoutName: (id) => `用户${id}`,
  membersAdded: ({ actor, names, count }) =>
    `${actor}邀请${names.join('、')}${count > names.length ? `等${count}人` : ''}加入了群聊`,
  memberLeft: (actor) => `${actor}退出了群聊`,
  memberRemoved: ({ actor, name }) => `${actor}将${name}移出了群聊`,
  groupRenamed: ({ actor, name }) => `${actor}将群名修改为“${name}”`,
  groupPictureChanged: (actor) => `${actor}修改了群头像`,
  webhookDisabled: ({ host, isGone }) =>
    `${host} ${isGone ? '返回 410' : '连续 5 天投递失败'}，已停用；启用并重放之前，新事件将被保留。`,
  missedCall: (caller, media) => `${caller} 的${{ audio: '语音通话', video: '视频通话' }[media]}`,
};
