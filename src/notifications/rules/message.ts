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
}
