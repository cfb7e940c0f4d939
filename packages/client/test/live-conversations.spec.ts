import type { Events } from '../src/events/events.js';
import type { EventListener } from '../src/events/listener.js';
import { Transport } from '../src/http/transport.js';
import type { Conversation, UserEvent } from '../src/index.js';
import { LiveConversations } from '../src/live/live-conversations.js';
import { success } from './support/scripted-fetch.js';

const PER_PAGE = 2;

/** A conversation whose newest message has this id. */
const conversation = (id: number, messageId: number): Conversation =>
  ({
    id,
    pinned: false,
    unread_count: 0,
    last_message_id: messageId,
    last_message_at: `2026-01-31 08:00:${messageId}`,
    last_sent_at: null,
  }) as Conversation;

describe('LiveConversations with several pages', () => {
  /** Conversations of the service, newest message first. */
  let stored: Conversation[];
  /** Changes the list after the responses to the next requests, one change for each. */
  let changes: (() => void)[];
  let requestedPages: number[];
  let listener: EventListener;
  let list: LiveConversations;

  const fetchPage: typeof fetch = async (input) => {
    const page = Number(new URL(input as string).searchParams.get('page'));
    requestedPages.push(page);
    const items = stored.slice((page - 1) * PER_PAGE, page * PER_PAGE);
    const pagination = { total: stored.length, has_more: page * PER_PAGE < stored.length };
    const response = success({ items, pagination }, { 'X-Event-Cursor': '1' });
    changes.shift()?.();
    return response;
  };

  beforeEach(async () => {
    stored = [conversation(1, 50), conversation(2, 40), conversation(3, 30), conversation(4, 20)];
    changes = [];
    requestedPages = [];
    const subscribe = (subscribed: EventListener) => {
      listener = subscribed;
      return () => undefined;
    };
    const transport = new Transport({ baseUrl: 'http://service.test', fetch: fetchPage });
    list = new LiveConversations(transport, { state: 'live', subscribe } as unknown as Events, {
      perPage: PER_PAGE,
    });
    await list.reload();
    await list.loadMore();
    requestedPages = [];
  });
  afterEach(() => list.close());

  const ids = () => list.getSnapshot()?.conversations.map(({ id }) => id);

  /** Stores a new message of a conversation, which moves to the top. */
  function store(id: number, messageId: number): void {
    stored = [conversation(id, messageId), ...stored.filter((item) => item.id !== id)];
  }

  const publish = (id: number, messageId: number): void =>
    listener.onEvent?.(
      {
        type: 'message.created',
        conversation_id: id,
        unread_count: 1,
        message: { id: messageId, created_at: `2026-01-31 08:00:${messageId}`, sent_at: null },
      } as unknown as UserEvent,
      2,
    );

  it('starts over when a conversation moves to a page that was fetched already', async () => {
    changes = [() => store(4, 55)];
    await list.reload();
    expect(ids()).toEqual([4, 1, 2, 3]);
    expect(requestedPages).toEqual([1, 2, 1, 2]);
  });

  it('starts over when a conversation of a page that was fetched already is removed', async () => {
    stored.push(conversation(5, 10));
    changes = [() => (stored = stored.filter(({ id }) => id !== 1))];
    await list.reload();
    expect(ids()).toEqual([2, 3, 4, 5]);
    expect(requestedPages).toEqual([1, 2, 1, 2]);
  });

  it('accepts shifted pages after three restarts, and reloads on a message of a conversation that is missing', async () => {
    changes = Array.from({ length: 7 }, (_, index) => () => {
      if (index % 2 === 0) store(stored.at(-1)?.id ?? 0, 51 + index);
    });
    await list.reload();
    const missing = stored[0]?.id ?? 0;
    expect(requestedPages).toEqual([1, 2, 1, 2, 1, 2, 1, 2]);
    expect(ids()).not.toContain(missing);
    expect(list.getSnapshot()?.hasMore).toBe(false);
    store(missing, 59);
    const found = new Promise<void>((resolve) => {
      list.subscribe(() => ids()?.includes(missing) === true && resolve());
    });
    publish(missing, 59);
    await found;
    expect(ids()).toEqual(stored.map(({ id }) => id));
  });
});
