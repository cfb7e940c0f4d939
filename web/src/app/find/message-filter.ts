import type { Target } from '../picker/use-targets';

/** Types of messages that can be searched for. */
export const MESSAGE_TYPES = ['text', 'image', 'file', 'audio', 'video', 'location'] as const;

/** Restricts a search of messages. */
export interface MessageFilter {
  sender?: Target;
  type?: (typeof MESSAGE_TYPES)[number];
  /** First and last day, as `2026-01-31`. */
  since?: string;
  until?: string;
  link: boolean;
  attachment: boolean;
}

export const NO_FILTER: MessageFilter = { link: false, attachment: false };

/** Returns the number of restrictions. */
export const countOf = (filter: MessageFilter): number =>
  Object.values(filter).filter((value) => value !== undefined && value !== false).length;
