import type { MessageContent } from '../../messaging/rules/message-content';
import type { DemoPersonName } from '../demo-people';

/** A message: a text, or content of another type. Media are named by their file in `web/public/demo`. */
export type DemoLine = string | MessageContent;

/** Sender and message. */
export type SpokenLine = readonly [speaker: DemoPersonName, line: DemoLine];

/** The conversations of the demo data in one language. */
export interface DemoTalk {
  /** A chat of two: the lines of each day, said in turn. The last four lines of the last day are by the first of the two. */
  pair: readonly [DemoPersonName, DemoPersonName];
  days: readonly (readonly DemoLine[])[];
  group: {
    name: string;
    owner: DemoPersonName;
    members: readonly DemoPersonName[];
    lines: readonly SpokenLine[];
    /** A message that its sender recalls. */
    slip: readonly [DemoPersonName, string];
  };
  /** Short chats with the first of the two, who has not read them; each begins this many minutes ago. */
  notes: readonly { minutesAgo: number; lines: readonly SpokenLine[] }[];
}
