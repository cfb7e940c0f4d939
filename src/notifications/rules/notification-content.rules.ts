/** Maximum size of `data`, in bytes of JSON (API 10.1). */
export const MAX_DATA_BYTES = 2_048;

/** Machine-readable data of a notification. */
export type NotificationData = Record<string, unknown>;

/** Parses the stored JSON. */
export const dataOf = (stored: string | null): NotificationData | null =>
  stored === null ? null : (JSON.parse(stored) as NotificationData);

/** Converts data to the JSON to be stored. */
export const toStoredData = (data: NotificationData | undefined): string | null =>
  data === undefined ? null : JSON.stringify(data);

/** The content of a notification, as its sender provides it. */
export interface NotificationContent {
  /** Any name of at most 50 characters. */
  type: string;
  /** At most 100 characters. */
  title: string;
  /** At most 2,000 characters. */
  content: string;
  /** At most 100 characters. A key reaches a user only once (API 10.3). */
  dedupeKey?: string;
  /** At most 2,048 bytes of JSON. */
  data?: NotificationData;
  /** Overrides the preferences of its recipients. Default: false. */
  critical?: boolean;
}

/** A message to deliver to inboxes. */
export interface DatedMessage extends NotificationContent {
  /** The `created_at` of its notifications. */
  createdAt: Date;
  /** The announcement that it belongs to; omitted if it is for one user only. */
  announcementId?: number;
}
