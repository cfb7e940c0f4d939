import type { ErrorKey } from '../errors/error-catalogue';

/** Texts without parameters. Their keys are the Chinese texts of the specification. */
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

/** All texts of the service for users, in one language (contract 18.6). */
export interface Words {
  texts: Record<FixedText, string>;
  /** The messages of the error catalogue. */
  errors: Record<ErrorKey, string>;

  /* Violations, which follow the name of the invalid field (contract 1.3). Counts are integers. */
  tooLong(characters: number): string;
  tooShort(characters: number): string;
  tooSmall(least: number): string;
  tooLarge(most: number): string;
  tooMany(most: number): string;

  unknownUsers(ids: readonly number[]): string;
  unknownDevices(ids: readonly number[]): string;
  unknownGroups(ids: readonly number[]): string;
  tooDeep(levels: number): string;

  /**
   * Replaces a recalled message. `is_self`: the reader recalled it; `name`: the sender, null if the name is unknown.
   */
  recalled(sender: { is_self: boolean; name: string | null }): string;
  /** Name for a user without a name. */
  userWithoutName(id: number): string;
  /** Content of a missed call notification: the caller and the kind of call. */
  missedCall(caller: string, media: 'audio' | 'video'): string;
  /** Why a webhook was disabled. `isGone`: its endpoint responded with 410; otherwise deliveries failed for 5 days. */
  webhookDisabled(webhook: { host: string; isGone: boolean }): string;

  /* Notices in a group conversation, with the names of the users concerned (contract 16.3). */
  /** @param added `names`: the first three; `count`: the total number of added members */
  membersAdded(added: { actor: string; names: readonly string[]; count: number }): string;
  memberLeft(actor: string): string;
  memberRemoved(removed: { actor: string; name: string }): string;
  groupRenamed(renamed: { actor: string; name: string }): string;
  groupPictureChanged(actor: string): string;
}

/** A message independent of its language: the key of a fixed text, or a function of the catalogue. */
export type Saying = FixedText | ((words: Words) => string);

/** Returns a message in one language. */
export const say = (words: Words, saying: Saying): string =>
  typeof saying === 'string' ? words.texts[saying] : saying(words);
