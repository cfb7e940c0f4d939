import { CallboardError } from './errors.js';
import { Events } from './events/events.js';
import type { EventListener, FollowOptions } from './events/listener.js';
import { OPERATIONS, type Events as EventOperations, type Operations } from './generated/operations.gen.js';
import type {
  CallResponse,
  GetActiveCallResponse,
  ListConversationsResponse,
  MeResponse,
  UnreadNotificationsResponse,
} from './generated/types.gen.js';
import { type RequestParts, Transport, type TransportOptions } from './http/transport.js';
import { LiveConversations, type LiveConversationsOptions } from './live/live-conversations.js';
import { LiveMessages } from './live/live-messages.js';
import { LiveNotifications, type LiveNotificationsOptions } from './live/live-notifications.js';
import type { Snapshot } from './live/live-store.js';
import { LiveUnreadNotifications } from './live/live-unread.js';
import { ForeignTokens, type TokenProvider } from './session/foreign-tokens.js';
import { Session } from './session/session.js';
import { cookieStore, memoryStore, type RefreshTokenStore } from './session/stores.js';

export interface CallboardOptions extends Omit<TransportOptions, 'baseUrl'> {
  /** Where the service is: `https://callboard.example`. Left out: where the page comes from. */
  baseUrl?: string;
  /** Where the refresh token is kept; left out: a cookie in pages of the service's own origin, else in memory. */
  store?: RefreshTokenStore;
  /** Tokens of an identity provider; then nobody signs in here. */
  token?: TokenProvider;
  /** Whether responses can be read while they come; left out: everywhere but in React Native. */
  canStream?: boolean;
}

type EventsOfClient = Events & EventOperations;

/**
 * A client of the service: every operation by what it is about (`calls.place`), who is signed in (`session`), what happens
 * (`events`), and what is kept up to date (`live`). Operations answer `data`, and throw `CallboardError`.
 */
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- as below
export class Callboard {
  /** Who is signed in, by account and password or by the cookie of an earlier visit. */
  readonly session: Session;
  /** What happens to the user, as it happens. */
  readonly events: EventsOfClient;
  /** @internal For the parts of this package. */
  readonly transport: Transport;
  readonly #hasOwnTokens: boolean;
  #me: Promise<number> | undefined;

  constructor({ baseUrl, store, token, canStream = canReadStreams(), ...options }: CallboardOptions = {}) {
    this.transport = new Transport({ baseUrl: baseUrl ?? '', ...options });
    this.session = new Session(this.transport, store ?? defaultStore(this.transport.baseUrl));
    this.#hasOwnTokens = token === undefined;
    this.transport.tokens = token === undefined ? this.session : new ForeignTokens(token);
    const whoListens = (signal: AbortSignal): Promise<number> => this.userId(signal);
    const events = new Events(this.transport, { whoListens, canStream });
    const operations = operationsOf(this.transport);
    const { events: _, ...others } = operations;
    Object.assign(this, others);
    this.events = Object.assign(events, operations.events);
    this.session.onChange(() => events.restart());
  }

  /** Who the requests speak for. @throws {CallboardError} `signed_out` */
  async userId(signal?: AbortSignal): Promise<number> {
    if (this.#hasOwnTokens) {
      await this.session.token();
      if (this.session.user === null) throw new CallboardError('signed_out');
      return this.session.user.id;
    }
    this.#me ??= this.identityOf(signal);
    return this.#me.catch((error: unknown) => {
      this.#me = undefined;
      throw error;
    });
  }

  /** Answers together with the cursor at which they are true: follow the events after it (docs/events.md). */
  readonly snapshot = {
    /** The unfinished call; null without one. */
    activeCall: (): Promise<Snapshot<CallResponse | null>> =>
      this.#snapshot<GetActiveCallResponse>('getActiveCall GET /api/calls/active'),
    /** A page of the list of conversations. */
    conversations: (
      query: { page?: number; per_page?: number } = {},
    ): Promise<Snapshot<ListConversationsResponse>> =>
      this.#snapshot<ListConversationsResponse>('listConversations GET /api/messages/conversations', {
        query,
      }),
    /** How many notifications are unread. */
    unreadNotifications: (): Promise<Snapshot<UnreadNotificationsResponse>> =>
      this.#snapshot<UnreadNotificationsResponse>(
        'countUnreadNotifications GET /api/notifications/unread-count',
      ),
  };

  /** What is kept up to date by itself, until it is closed. */
  readonly live = {
    conversations: (options?: LiveConversationsOptions): LiveConversations =>
      new LiveConversations(this.transport, this.events, options),
    messages: (conversationId: number, options: { perPage?: number } = {}): LiveMessages =>
      new LiveMessages(this.transport, this.events, {
        ...options,
        conversationId,
        whoReads: (signal) => this.userId(signal),
      }),
    notifications: (options?: LiveNotificationsOptions): LiveNotifications =>
      new LiveNotifications(this.transport, this.events, options),
    unreadNotifications: (): LiveUnreadNotifications =>
      new LiveUnreadNotifications(this.transport, this.events),
  };

  async #snapshot<T>(operation: string, parts?: RequestParts): Promise<Snapshot<T>> {
    const { data, cursor = 0 } = await this.transport.send<T>(operation, parts);
    return { data, cursor };
  }

  private async identityOf(signal: AbortSignal | undefined): Promise<number> {
    const { data } = await this.transport.send<MeResponse>('getCurrentUser GET /api/auth/me', { signal });
    return data.id;
  }
}

/** The operations, which the constructor assigns from their table. */
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- no other way tells the compiler of them
export interface Callboard extends Omit<Operations, 'events'> {}

/** A method for each row of the table. */
function operationsOf(transport: Transport): Operations {
  const groups = Object.entries(OPERATIONS).map(([group, rows]) => {
    const methods = Object.entries(rows).map(([name, operation]) => [
      name,
      async (options?: RequestParts): Promise<unknown> => (await transport.send(operation, options)).data,
    ]);
    return [group, Object.fromEntries(methods)];
  });
  return Object.fromEntries(groups) as Operations;
}

/** The service's cookie is for pages of its own origin. */
function defaultStore(baseUrl: string): RefreshTokenStore {
  const { location, document } = globalThis;
  // Pages of files have no origin.
  if (location === undefined || document === undefined || !location.protocol.startsWith('http'))
    return memoryStore();
  return new URL(baseUrl, location.href).origin === location.origin ? cookieStore() : memoryStore();
}

/** React Native's `fetch` answers when all has come, and a stream does not end. */
const canReadStreams = (): boolean =>
  globalThis.ReadableStream !== undefined && globalThis.navigator?.product !== 'ReactNative';

export type { EventListener, FollowOptions };
