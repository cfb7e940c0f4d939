import { Attachments } from './attachments/attachments.js';
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
import { ExternalTokenSource, type TokenProvider } from './session/external-token-source.js';
import { Session } from './session/session.js';
import { cookieStore, memoryStore, type RefreshTokenStore } from './session/stores.js';

export interface CallboardOptions extends Omit<TransportOptions, 'baseUrl'> {
  /** URL of the service: `https://callboard.example`. Default: the origin of the page. */
  baseUrl?: string;
  /** Storage of the refresh token. Default: a cookie in pages of the service's own origin, else memory. */
  store?: RefreshTokenStore;
  /** Source of tokens of an identity provider. It replaces log-in with account and password. */
  token?: TokenProvider;
  /**
   * Whether `fetch` can read a response while it arrives. Default: false in React Native, else true if `ReadableStream`
   * exists.
   */
  canStream?: boolean;
}

type EventsOfClient = Events & EventOperations;

/**
 * Client of the service: the operations by group (`calls.place`), the log-in (`session`), the event stream (`events`), and
 * stores that the stream keeps up to date (`live`). Operations return `data`, and throw `CallboardError`.
 */
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- see the interface below
export class Callboard {
  /** The signed-in user: by account and password, or by the cookie of an earlier visit. */
  readonly session: Session;
  /** The user's event stream. */
  readonly events: EventsOfClient;
  /** Uploads of files and avatars. */
  readonly attachments: Attachments;
  /** @internal Used by the modules of this package. */
  readonly transport: Transport;
  readonly #hasOwnTokens: boolean;
  #me: Promise<number> | undefined;

  constructor({ baseUrl, store, token, canStream = canReadStreams(), ...options }: CallboardOptions = {}) {
    this.transport = new Transport({ baseUrl: baseUrl ?? '', ...options });
    this.session = new Session(this.transport, store ?? defaultStore(this.transport.baseUrl));
    this.#hasOwnTokens = token === undefined;
    this.transport.tokens = token === undefined ? this.session : new ExternalTokenSource(token);
    const getUserId = (): Promise<number> => this.userId();
    const events = new Events(this.transport, { getUserId, canStream });
    this.attachments = new Attachments(this.transport, getUserId);
    const operations = operationsOf(this.transport);
    const { events: _, ...groups } = operations;
    Object.assign(this, groups);
    this.events = Object.assign(events, operations.events);
    this.session.onChange(() => events.restart());
  }

  /** Returns the id of the user whose token the requests carry. @throws {CallboardError} `signed_out` */
  async userId(): Promise<number> {
    if (this.#hasOwnTokens) {
      await this.session.token();
      if (this.session.user === null) throw new CallboardError('signed_out');
      return this.session.user.id;
    }
    // Without the signal of a caller: all callers wait for the same request.
    this.#me ??= this.identityOf();
    return this.#me.catch((error: unknown) => {
      this.#me = undefined;
      throw error;
    });
  }

  /**
   * Reads that return data with the event cursor at which it is valid. Follow the events after that cursor (docs/events.md).
   */
  readonly snapshot = {
    /** The unfinished call of the user; null if there is none. */
    activeCall: (): Promise<Snapshot<CallResponse | null>> =>
      this.#snapshot<GetActiveCallResponse>('getActiveCall GET /api/calls/active'),
    /** A page of the list of conversations. */
    conversations: (
      query: { page?: number; per_page?: number } = {},
    ): Promise<Snapshot<ListConversationsResponse>> =>
      this.#snapshot<ListConversationsResponse>('listConversations GET /api/messages/conversations', {
        query,
      }),
    /** Number of unread notifications. */
    unreadNotifications: (): Promise<Snapshot<UnreadNotificationsResponse>> =>
      this.#snapshot<UnreadNotificationsResponse>(
        'countUnreadNotifications GET /api/notifications/unread-count',
      ),
  };

  /** Stores that events keep up to date until they are closed. */
  readonly live = {
    conversations: (options?: LiveConversationsOptions): LiveConversations =>
      new LiveConversations(this.transport, this.events, options),
    messages: (conversationId: number, options: { perPage?: number } = {}): LiveMessages =>
      new LiveMessages(this.transport, this.events, {
        ...options,
        conversationId,
        getUserId: () => this.userId(),
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

  private async identityOf(): Promise<number> {
    const { data } = await this.transport.send<MeResponse>('getCurrentUser GET /api/auth/me');
    return data.id;
  }
}

/** Declares the operations that the constructor assigns from `OPERATIONS`. */
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- the compiler cannot see assigned members otherwise
export interface Callboard extends Omit<Operations, 'events'> {}

/** Creates a method for each row of `OPERATIONS`. */
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

/**
 * Returns the cookie store in pages of the service's own origin, because the cookie is limited to it; else the memory store.
 */
function defaultStore(baseUrl: string): RefreshTokenStore {
  const { location, document } = globalThis;
  // A page of a file: URL has no origin to compare.
  if (location === undefined || document === undefined || !location.protocol.startsWith('http'))
    return memoryStore();
  return new URL(baseUrl, location.href).origin === location.origin ? cookieStore() : memoryStore();
}

/** False in React Native: its `fetch` resolves when the body is complete, and the body of a stream never is. */
const canReadStreams = (): boolean =>
  globalThis.ReadableStream !== undefined && globalThis.navigator?.product !== 'ReactNative';

export type { EventListener, FollowOptions };
