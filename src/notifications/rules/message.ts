/** At most so many bytes of JSON (contract 18.4). */
export const MAX_DATA_BYTES = 2_048;

/** What a notification is about, for programs. */
export type NotificationData = Record<string, unknown>;

/** What is stored, which is JSON. */
export const dataOf = (stored: string | null): NotificationData | null =>
  stored === null ? null : (JSON.parse(stored) as NotificationData);

/** What is sent, as it is stored. */
export const toStoredData = (data: NotificationData | undefined): string | null =>
  data === undefined ? null : JSON.stringify(data);

/** What a notification says, as its sender gives it. */
export interface Message {
  /** At most 50 characters; any name is good. */
  type: string;
  /** At most 100 characters. */
  title: string;
  /** At most 2,000 characters. */
  content: string;
  /** At most 100 characters: the same key reaches a user once and for all (contract 5). */
  dedupeKey?: string;
  /** At most 2,048 bytes of JSON. */
  data?: NotificationData;
}

/** A message on its way into inboxes. */
export interface DatedMessage extends Message {
  /** The time that its notifications show. */
  createdAt: Date;
  /** The announcement that it is; left out of what is for one user alone. */
  announcementId?: number;
}
