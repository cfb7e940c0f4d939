import type { ErrorKey } from '../errors/error-catalogue';

/** Sentences into which nothing is put. They go by the specification's own text, which is Chinese. */
export const TEXTS = [
  '操作成功',
  '标记成功',
  '请求体',
  '字段不能为空',
  '取值无效',
  '必须是字符串',
  '必须是整数',
  '必须是数组',
  '必须是对象',
  '上级分组不存在',
  '不能移动到自身或下级分组',
  '未接来电',
  '昨天',
  '星期日',
  '星期一',
  '星期二',
  '星期三',
  '星期四',
  '星期五',
  '星期六',
  '[图片]',
  '[文件]',
  '[语音]',
  '[视频]',
  '[位置]',
  '消息已撤回',
  '消息已删除',
  '[语音通话]',
  '[视频通话]',
  '通话时长',
  '未接听',
  '已取消',
  '已拒绝',
  '对方忙线中',
  '回调地址已停用',
] as const;
export type FixedText = (typeof TEXTS)[number];

/** Everything the service itself says to people, in one language (contract 18.6). */
export interface Words {
  texts: Record<FixedText, string>;
  /** The messages of the error catalogue. */
  errors: Record<ErrorKey, string>;

  /* What stands behind the name of a field that is wrong (contract 1.3); counts are whole numbers. */
  tooLong(characters: number): string;
  tooShort(characters: number): string;
  tooSmall(least: number): string;
  tooLarge(most: number): string;
  tooMany(most: number): string;

  unknownUsers(ids: readonly number[]): string;
  unknownDevices(ids: readonly number[]): string;
  unknownGroups(ids: readonly number[]): string;
  tooDeep(levels: number): string;

  /** What stands for a message that was taken back, by the reader or by somebody whose name may be missing. */
  recalled(sender: { is_self: boolean; name: string | null }): string;
  /** The name of a user who has none. */
  userWithoutName(id: number): string;
  /** Who called in vain, and how. */
  missedCall(caller: string, media: 'audio' | 'video'): string;
  /** Why a webhook was switched off: its receiver is gone, or nothing has reached it for long. */
  webhookDisabled(webhook: { host: string; isGone: boolean }): string;

  /* What notices tell of a group, by the names of those concerned (contract 16.3). */
  /** @param added `names`: the first three; `count`: how many in all */
  membersAdded(added: { actor: string; names: readonly string[]; count: number }): string;
  memberLeft(actor: string): string;
  memberRemoved(removed: { actor: string; name: string }): string;
  groupRenamed(renamed: { actor: string; name: string }): string;
  groupPictureChanged(actor: string): string;
}

/** A sentence in whatever language: a text of the catalogue's, or what each catalogue makes of it. */
export type Saying = FixedText | ((words: Words) => string);

/** A sentence in one language. */
export const say = (words: Words, saying: Saying): string =>
  typeof saying === 'string' ? words.texts[saying] : saying(words);
