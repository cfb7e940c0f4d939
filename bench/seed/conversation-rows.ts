import type { Loader } from './loader';

/** Day on which conversations were created and their members joined. */
export const CREATED = '2025-01-01';
const CONVERSATION =
  'id, type, single_key, name, avatar, member_count, max_seq, last_recalled_seq, first_read_seq, first_gap_seq, pulled, created_at';
const MEMBER =
  'conversation_id, user_id, type, peer_id, role, join_seq, joined_at, read_seq, pinned, muted, hidden, hidden_seq, pulled, sort_at, hears_after';
const MESSAGE = 'conversation_id, seq, id, sender_id, type, content, extra, created_at';

/** SQL expression with one value for most messages, and other values for pictures and files. */
const mixed = (picture: string, file: string, text: string): string =>
  `CASE WHEN n % 50 = 7 THEN ${picture} WHEN n % 50 = 23 THEN ${file} ELSE ${text} END`;

/** Inserts rows of conversations, members and messages. The fields are SQL expressions, in which `n` counts from 0. */
export class ConversationRows {
  #nextMessageId = 1;

  constructor(private readonly loader: Loader) {}

  async conversations(
    count: number,
    of: {
      id: string;
      key?: string;
      name?: string;
      members: number;
      messages: number;
      firstRead?: number;
      pulled?: boolean;
    },
  ): Promise<void> {
    const type = of.key === undefined ? "'group'" : "'single'";
    await this.loader.insert(
      'conversations',
      CONVERSATION,
      [
        of.id,
        type,
        of.key ?? 'NULL',
        of.name ?? "''",
        'NULL',
        String(of.members),
        String(of.messages),
        '0',
        String(of.firstRead ?? 0),
        '0',
        of.pulled ? '1' : '0',
        this.loader.moment(CREATED, '0'),
      ],
      count,
    );
  }

  async members(
    count: number,
    of: {
      conversation: string;
      user: string;
      /** In single chats only. */
      peer?: string;
      role?: string;
      read: string;
      pinned?: string;
      pulled?: boolean;
      sortAt: string;
    },
  ): Promise<void> {
    await this.loader.insert(
      'conversation_members',
      MEMBER,
      [
        of.conversation,
        of.user,
        of.peer === undefined ? "'group'" : "'single'",
        of.peer ?? 'NULL',
        of.role ?? "'member'",
        '1',
        this.loader.moment(CREATED, '0'),
        of.read,
        of.pinned ?? '0',
        '0',
        '0',
        '0',
        of.pulled ? '1' : '0',
        of.sortAt,
        '0',
      ],
      count,
    );
  }

  /** Inserts messages: mostly texts, with occasional pictures and files. */
  async messages(
    count: number,
    of: { conversation: string; seq: string; sender: string; at: string },
  ): Promise<void> {
    const { loader } = this;
    const url = (ending: string): string => loader.text("'https://files.example.com/'", 'n', `'${ending}'`);
    await loader.insert(
      'messages',
      MESSAGE,
      [
        of.conversation,
        of.seq,
        `n + ${this.#nextMessageId}`,
        of.sender,
        mixed("'image'", "'file'", "'text'"),
        mixed(
          url('.jpg'),
          url('.pdf'),
          loader.text("'Message number '", of.seq, "', and what else there is to say'"),
        ),
        mixed('NULL', `'{"name":"plan.pdf"}'`, 'NULL'),
        of.at,
      ],
      count,
    );
    this.#nextMessageId += count;
  }
}
