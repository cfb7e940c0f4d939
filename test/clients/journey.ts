/*
 * A client that uses only the functions and types that @hey-api/openapi-ts generates from /docs-json (`./callboard`).
 * test/contract/openapi-clients.spec.ts generates them, compiles this file under `strict` and runs it against a service.
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

/** A logged-in user with an open event stream. */
class Participant {
  readonly #received: UserEvent[] = [];
  #notify = (): void => undefined;

  private constructor(
    readonly client: Client,
    readonly user: UserResponse,
    /** The cursor before the first event of this journey. */
    readonly cursor: number,
  ) {}

  static async logIn(baseUrl: string, account: string, signal: AbortSignal): Promise<Participant> {
    const anonymous = createClient(createConfig({ baseUrl }));
    const body = { account, password: 'callboard-demo' };
    const { data: tokens } = await logIn({ client: anonymous, body, throwOnError: true });
    const { access_token, user } = tokens.data;
    const client = createClient(createConfig({ baseUrl, auth: access_token }));
    const { response } = await getActiveCall({ client, throwOnError: true });
    const participant = new Participant(client, user, Number(response.headers.get('X-Event-Cursor')));
    void participant.#readStream(signal);
    return participant;
  }

  async #readStream(signal: AbortSignal): Promise<void> {
    const query = { after: this.cursor };
    const { stream } = await streamEvents({ client: this.client, query, signal, sseMaxRetryAttempts: 1 });
    for await (const event of stream) {
      this.#received.push(event);
      this.#notify();
    }
  }

  /** Returns the first event of a type that matches, already received or future. */
  async waitForEvent<Type extends UserEvent['type']>(
    type: Type,
    matches: (event: EventOf<Type>) => boolean = () => true,
  ): Promise<EventOf<Type>> {
    for (;;) {
      const found = this.#received.find(
        (event): event is EventOf<Type> => event.type === type && matches(event as EventOf<Type>),
      );
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => (this.#notify = resolve));
    }
  }
}

/** Places, accepts and hangs up a call. Returns what both users received. */
async function call(caller: Participant, callee: Participant): Promise<object> {
  const body = { callee_id: callee.user.id, media_type: 'video', terminal_id: 'phone' } as const;
  const { data: placed } = await placeCall({ client: caller.client, body, throwOnError: true });
  const path = { callId: placed.data.call_id };

  const ringing = await callee.waitForEvent('call.ringing');
  // @ts-expect-error this event type has no terminal
  const { terminal_id: none } = ringing;
  const accepted = await acceptCall({
    client: callee.client,
    path: { callId: ringing.call.call_id },
    body: { terminal_id: 'desk' },
    throwOnError: true,
  });
  const { terminal_id } = await caller.waitForEvent('call.accepted');
  // The error type is generated too: 41007 and 41008 for 409.
  const { error } = await rejectCall({ client: callee.client, path, body: {} });
  const ended = await hangUpCall({ client: caller.client, path, body: {}, throwOnError: true });
  await callee.waitForEvent('call.ended', ({ call: { call_id } }) => call_id === path.callId);
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

/** Sends a message and reads it. Returns what both users received. */
async function chat(writer: Participant, reader: Participant): Promise<object> {
  const { data: opened } = await createConversation({
    client: writer.client,
    body: { type: 'single', peer_id: reader.user.id },
    throwOnError: true,
  });
  const path = { id: opened.data.id };
  const body = { type: 'text', content: '你好', client_msg_id: 'journey-1' } as const;
  const { data: sent } = await sendMessage({ client: writer.client, path, body, throwOnError: true });

  const { message, unread_count } = await reader.waitForEvent('message.created');
  const list = await listConversations({ client: reader.client, throwOnError: true });
  const [conversation] = list.data.data.items;
  const history = await listMessages({
    client: reader.client,
    path,
    query: { per_page: 1 },
    throwOnError: true,
  });
  const messages: MessageResponse[] = history.data.data.items;
  const read = await writer.waitForEvent('conversation.read');
  return {
    isReceived: message.id === sent.data.id && !message.is_self,
    unread: unread_count,
    preview: conversation?.last_message,
    content: messages.map(({ content, type }) => `${type}: ${content}`),
    pages: history.data.data.pagination.last_page,
    readBy: read.user_id === reader.user.id ? 'reader' : 'another',
  };
}

/** Polls the types of all events since the log-in. */
async function pollEventTypes({ client, cursor }: Participant): Promise<string[]> {
  const { data } = await pollEvents({ client, query: { after: cursor }, throwOnError: true });
  return data.data.items.map((event) => {
    const isInOrder = event.id > cursor && event.id <= data.data.next_after;
    return isInOrder ? event.type : 'out of order';
  });
}

/** Lets Alice and Bob of the demo data call and chat. Returns what they received. */
export async function journey(baseUrl: string): Promise<object> {
  const abortController = new AbortController();
  const [alice, bob] = await Promise.all(
    ['alice', 'bob'].map((account) => Participant.logIn(baseUrl, account, abortController.signal)),
  );
  if (alice === undefined || bob === undefined) throw new Error('Log-in failed');
  const result = {
    call: await call(alice, bob),
    chat: await chat(alice, bob),
    events: await pollEventTypes(alice),
  };
  abortController.abort();
  return result;
}
