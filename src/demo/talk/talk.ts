import type { MessageContent } from '../../messaging/rules/message-content.rules';
import type { DemoPersonName } from '../demo-people';
import type { DemoUpload } from '../demo-messages';

/** A message: a text, or content of another type. The content of media is the name of a file in `web/public/demo`. */
export type DemoLine = string | MessageContent;

/** Sender and message. */
export type SpokenLine = readonly [speaker: DemoPersonName, line: DemoLine];

/** The conversations of the demo data in one language. */
export interface DemoTalk {
  /** Users of the long chat. They send the lines in turn; the first user sends the last four lines of the last day. */
  pair: readonly [DemoPersonName, DemoPersonName];
  /** Lines of the long chat by day. */
  days: readonly (readonly DemoLine[])[];
  group: {
    name: string;
    owner: DemoPersonName;
    members: readonly DemoPersonName[];
    lines: readonly SpokenLine[];
    /** A message that its sender recalls. */
    slip: readonly [DemoPersonName, string];
    /** Messages with uploaded files, sent after the line with this index. */
    uploads: readonly (readonly [afterLine: number, speaker: DemoPersonName, upload: DemoUpload])[];
  };
  /** Short chats with the first user of `pair`, who has not read them. Each one starts `minutesAgo`. */
  notes: readonly { minutesAgo: number; lines: readonly SpokenLine[] }[];
}
