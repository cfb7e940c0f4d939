/*
 * A client made of nothing but what @hey-api/openapi-ts makes of /docs-json (`./callboard`): its functions and its types.
 * test/contract/openapi-clients.spec.ts generates, compiles it under `strict`, and lets it speak to a service.
 */
import {
  acceptCall,
  createConversation,
  getActiveCall,
  getCall,
  hangUpCall,
  listConversations,
  listMessages,
  logIn,
  type MessageResponse,
  placeCall,
  pollEvents,
  rejectCall,
  sendMessage,
  streamEvents,
  type UserEvent,
  type UserResponse,
} from './callboard';
import { type Client, createClient, createConfig } from './callboard/client';

type EventOf<Type extends UserEvent['type']> = Extract<UserEvent, { type: Type }>;

/** Somebody who is logged in and hears what happens to them. */
class Person {
  readonly #heard: UserEvent[] = [];
  #wake = (): void => undefined;

  private constructor(
    readonly client: Client,
    readonly user: UserResponse,
    /** Where the events begin that concern this journey. */
    readonly cursor: number,
  ) {}

  static async logIn(baseUrl: string, account: string, signal: AbortSignal): Promise<Person> {
    const stranger = createClient(createConfig({ baseUrl }));
    const body = { account, password: 'callboard-demo' };
    const { data: tokens } = await logIn({ client: stranger, body, throwOnError: true });
    const { access_token, user } = tokens.data;
    const client = createClient(createConfig({ baseUrl, auth: access_token }));
    const { response } = await getActiveCall({ client, throwOnError: true });
    const person = new Person(client, user, Number(response.headers.get('X-Event-Cursor')));
    void person.#listen(signal);
    return person;
  }

  async #listen(signal: AbortSignal): Promise<void> {
    const query = { after: this.cursor };
    const { stream } = await streamEvents({ client: this.client, query, signal, sseMaxRetryAttempts: 1 });
    for await (const event of stream) {
      this.#heard.push(event);
      this.#wake();
    }
  }

  /** The first event of a type that comes, or has come, and is looked for. */
  async hears<Type extends UserEvent['type']>(
    type: Type,
    isMeant: (event: EventOf<Type>) => boolean = () => true,
  ): Promise<EventOf<Type>> {
    for (;;) {
      const found = this.#heard.find(
        (event): event is EventOf<Type> => event.type === type && isMeant(event as EventOf<Type>),
      );
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}

/** One calls, the other answers; they hang up. */
async function call(caller: Person, callee: Person): Promise<object> {
  const body = { callee_id: callee.user.id, media_type: 'video', terminal_id: 'phone' } as const;
  const { data: placed } = await placeCall({ client: caller.client, body, throwOnError: true });
  const path = { callId: placed.data.call_id };

  const ringing = await callee.hears('call.ringing');
  // @ts-expect-error an event of this type names no terminal
  const { terminal_id: none } = ringing;
  const accepted = await acceptCall({
    client: callee.client,
    path: { callId: ringing.call.call_id },
    body: { terminal_id: 'desk' },
    throwOnError: true,
  });
  const { terminal_id } = await caller.hears('call.accepted');
  // The types know which errors there are: 41007 and 41008 go with 409.
  const { error } = await rejectCall({ client: callee.client, path, body: {} });
  const ended = await hangUpCall({ client: caller.client, path, body: {}, throwOnError: true });
  await callee.hears('call.ended', ({ call: { call_id } }) => call_id === path.callId);
  const { data: record } = await getCall({ client: callee.client, path, throwOnError: true });
  return {
    from: ringing.call.caller.name,
    kind: ringing.call.media_type,
    provider: accepted.data.data.app_id,
    rungOn: none,
    answeredOn: terminal_id,
    refusal: error?.code,
    status: ended.data.data.status,
    reason: record.data.end_reason satisfies string | null,
    endedBy: record.data.ended_by === caller.user.id ? 'caller' : 'another',
  };
}

/** One writes, the other reads. */
async function chat(writer: Person, reader: Person): Promise<object> {
  const { data: opened } = await createConversation({
    client: writer.client,
    body: { type: 'single', peer_id: reader.user.id },
    throwOnError: true,
  });
  const path = { id: opened.data.id };
  const body = { type: 'text', content: '你好', client_msg_id: 'journey-1' } as const;
  const { data: sent } = await sendMessage({ client: writer.client, path, body, throwOnError: true });

  const { message, unread_count } = await reader.hears('message.created');
  const list = await listConversations({ client: reader.client, throwOnError: true });
  const [conversation] = list.data.data.items;
  const history = await listMessages({
    client: reader.client,
    path,
    query: { per_page: 1 },
    throwOnError: true,
  });
  const messages: MessageResponse[] = history.data.data.items;
  const read = await writer.hears('conversation.read');
  return {
    told: message.id === sent.data.id && !message.is_self,
    unread: unread_count,
    preview: conversation?.last_message,
    content: messages.map(({ content, type }) => `${type}: ${content}`),
    pages: history.data.data.pagination.last_page,
    readBy: read.user_id === reader.user.id ? 'reader' : 'another',
  };
}

/** What happened to somebody in the meantime, polled. */
async function diary({ client, cursor }: Person): Promise<string[]> {
  const { data } = await pollEvents({ client, query: { after: cursor }, throwOnError: true });
  return data.data.items.map((event) => {
    const isInOrder = event.id > cursor && event.id <= data.data.next_after;
    return isInOrder ? event.type : 'out of order';
  });
}

/** Alice and Bob of the demo data call, and chat; answers what they saw. */
export async function journey(baseUrl: string): Promise<object> {
  const over = new AbortController();
  const [alice, bob] = await Promise.all(
    ['alice', 'bob'].map((account) => Person.logIn(baseUrl, account, over.signal)),
  );
  if (alice === undefined || bob === undefined) throw new Error('Nobody has logged in');
  const seen = { call: await call(alice, bob), chat: await chat(alice, bob), diary: await diary(alice) };
  over.abort();
  return seen;
}
