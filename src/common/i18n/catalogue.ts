import type { ErrorKey } from '../errors/error-catalogue';
import type { ZH_CN_TEXTS } from './zh-cn-texts';

/** Keys of the texts without parameters. */
export type MessageKey = keyof typeof ZH_CN_TEXTS;

/** All texts of the service for users, in one language (API 1.10). */
export interface MessageCatalogue {
  messages: Record<MessageKey, string>;
  /** The messages of the error catalogue. */
  errors: Record<ErrorKey, string>;

  /* Violations, which follow the name of the invalid field (API 1.4). Counts are integers. */
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

  /* Notices in a group conversation, with the names of the users concerned (API 8.11). */
  /** @param added `names`: the first three; `count`: the total number of added members */
  membersAdded(added: { actor: string; names: readonly string[]; count: number }): string;
  memberLeft(actor: string): string;
  memberRemoved(removed: { actor: string; name: string }): string;
  groupRenamed(renamed: { actor: string; name: string }): string;
  groupPictureChanged(actor: string): string;
}

/** A message independent of its language: the key of a fixed text, or a function of the catalogue. */
export type LocalizedMessage = MessageKey | ((catalogue: MessageCatalogue) => string);

/** Returns a message in one language. */
export const translate = (catalogue: MessageCatalogue, message: LocalizedMessage): string =>
  typeof message === 'string' ? catalogue.messages[message] : message(catalogue);
