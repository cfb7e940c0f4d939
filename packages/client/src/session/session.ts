import { canElect, type Channel, elapsed, exclusively, openChannel, pause } from '../environment.js';
import { CallboardError } from '../errors.js';
import { safely } from '../events/listener.js';
import type { UserResponse } from '../generated/types.gen.js';
import type { TokenSource, Transport } from '../http/transport.js';
import { BeforeLogoutHooks } from './before-logout-hooks.js';
import { IN_COOKIE, type RefreshTokenStore } from './stores.js';

/** What log-in and refresh answer; the refresh token is null where a cookie has it. */
interface Tokens {
  access_token: string;
  expires_in: number;
  refresh_token: string | null;
  user: UserResponse;
  terminal_id: string;
}

interface AccessToken {
  value: string;
  /** On the clock of `elapsed`: the time of day may be wrong. */
  renewAt: number;
}

type Message = 'signed-in' | 'signing-out' | 'signed-out';

/** How a session came to its end: by a log-out, here or in another tab, or because the service refused it. */
export type SessionEnd = 'logged_out' | 'refused';

/** Told of whoever signs in, or has another role now; null: nobody is, and `end` says why. */
export type SessionListener = (user: UserResponse | null, end?: SessionEnd) => void;

/** A token is renewed this long before its end. */
const EARLY_MS = 30_000;
/** A refresh token that another tab has just used is answered with 401; its successor is there within this time. */
const GRACE_MS = 1_000;
/** How often it is asked: of tabs that cannot take turns, some are too late more than once. */
const TRIES = { inTurn: 2, allAtOnce: 4 };

const LOG_IN = 'logIn POST /api/auth/login public';
const REFRESH = 'refreshTokens POST /api/auth/refresh public';
const LOG_OUT = 'logOut POST /api/auth/logout public';

/**
 * Who is signed in, by account and password. The access token stays in memory and is renewed 30 s before its end, or when
 * it is refused; over https one tab at a time renews, and all tabs hear of a log-in and a log-out.
 */
export class Session implements TokenSource {
  /** Who is signed in; null: nobody. */
  user: UserResponse | null = null;
  readonly #transport: Transport;
  readonly #store: RefreshTokenStore;
  readonly #channel: Channel<Message> | undefined;
  readonly #listeners = new Set<SessionListener>();
  readonly #beforeLogoutHooks: BeforeLogoutHooks;
  #access: AccessToken | undefined;
  #refreshing: Promise<void> | undefined;
  /** Counts log-ins and log-outs: what an earlier one still waits for is of no use. */
  #epoch = 0;
  /** Nobody is signed in until somebody logs in or an earlier session is restored, whatever the store still has. */
  #isOver = false;

  constructor(transport: Transport, store: RefreshTokenStore) {
    this.#transport = transport;
    this.#store = store;
    this.#beforeLogoutHooks = new BeforeLogoutHooks(
      store.isShared ? `callboard log-out ${transport.baseUrl}` : undefined,
    );
    const hear = (message: Message): void => {
      if (message === 'signed-in') this.#join();
      else if (message === 'signed-out') this.#end('logged_out');
      else void this.#beforeLogoutHooks.perform();
    };
    if (store.isShared) this.#channel = openChannel(`callboard session ${transport.baseUrl}`, hear);
  }

  /** Signs in. @throws {CallboardError} 401 for a wrong account or password; 429 after too many, with `retryAfter` */
  async logIn(account: string, password: string): Promise<UserResponse> {
    const body = { account, password, ...(this.#store.isCookie && { cookie: true }) };
    const epoch = (this.#epoch += 1);
    const { data } = await this.#transport.send<Tokens>(LOG_IN, { body });
    if (epoch !== this.#epoch) throw new CallboardError('signed_out');
    await this.#take(data);
    this.#channel?.post('signed-in');
    return data.user;
  }

  /** Goes on with the session of an earlier visit. Answers who is signed in; null when nobody is. */
  async restore(): Promise<UserResponse | null> {
    this.#isOver = false;
    try {
      await this.#refresh();
    } catch (error) {
      if (!isOver(error)) throw error;
    }
    return this.user;
  }

  /**
   * Signs out, here and in all tabs. @throws {CallboardError} when the service could not be told; then a cookie is still
   * there, and the next visit would be signed in
   */
  async logOut(): Promise<void> {
    const { isCookie } = this.#store;
    this.#channel?.post('signing-out');
    await this.#beforeLogoutHooks.perform();
    await this.#beforeLogoutHooks.others();
    const refreshToken = await this.#store.get();
    this.#channel?.post('signed-out');
    this.#end('logged_out');
    await this.#store.set(null);
    if (refreshToken === null) return;
    try {
      await this.#transport.send(LOG_OUT, isCookie ? {} : { body: { refresh_token: refreshToken } });
    } catch (error) {
      if (isCookie) await this.#store.set(IN_COOKIE);
      throw error;
    }
  }

  /** Calls `listener` whenever somebody else, somebody in another role, or nobody is signed in; answers what ends that. */
  onChange(listener: SessionListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Has `act` done before a log-out, here or in another tab, while requests are still answered: a call hangs up. The log-out
   * waits for two seconds at most, whatever becomes of it. Answers what takes that back.
   */
  beforeLogOut(act: () => Promise<unknown>): () => void {
    return this.#beforeLogoutHooks.add(act);
  }

  async token(): Promise<string> {
    if (this.#isOver) throw new CallboardError('signed_out');
    const access = this.#access;
    if (access !== undefined && elapsed() < access.renewAt) return access.value;
    try {
      await this.#refresh();
    } catch (error) {
      // Until the service refuses it, the old one may still do.
      if (access === undefined || access !== this.#access) throw error;
    }
    if (this.#access === undefined) throw new CallboardError('signed_out');
    return this.#access.value;
  }

  async refused(token: string): Promise<boolean> {
    const epoch = this.#epoch;
    if (this.#access?.value === token) this.#access = undefined;
    // Another request may have begun to renew it.
    if (this.#access === undefined && !this.#isOver) await this.#refresh();
    return epoch === this.#epoch && this.#access !== undefined;
  }

  /** One at a time: a refresh token is good for one. */
  #refresh(): Promise<void> {
    this.#refreshing ??= exclusively(`callboard refresh ${this.#transport.baseUrl}`, () =>
      this.#renew(),
    ).finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #renew(): Promise<void> {
    const epoch = this.#epoch;
    for (let triesLeft = canElect() ? TRIES.inTurn : TRIES.allAtOnce; ; triesLeft -= 1) {
      const refreshToken = await this.#store.get();
      if (refreshToken === null) {
        if (epoch === this.#epoch) this.#end('refused');
        throw new CallboardError('signed_out');
      }
      try {
        // A page that is left must not lose the cookie that takes the place of the used one.
        const parts = this.#store.isCookie ? { keepalive: true } : { body: { refresh_token: refreshToken } };
        const { data } = await this.#transport.send<Tokens>(REFRESH, parts);
        if (epoch === this.#epoch) await this.#take(data);
        return;
      } catch (error) {
        if (epoch !== this.#epoch) throw error;
        const hasNoCookie = this.#store.isCookie && error instanceof CallboardError && error.code === 422;
        if (!isOver(error) && !hasNoCookie) throw error;
        if (triesLeft === 1 || !this.#store.isShared || hasNoCookie) {
          await this.#store.set(null);
          this.#end('refused');
          throw new CallboardError('signed_out', undefined, { status: 401, cause: error });
        }
        // At another moment than the others that were too late.
        await pause(GRACE_MS * (0.2 + 0.8 * Math.random()));
      }
    }
  }

  async #take({ access_token: value, expires_in, refresh_token, user }: Tokens): Promise<void> {
    const lifetime = expires_in * 1000;
    this.#isOver = false;
    this.#access = { value, renewAt: elapsed() + lifetime - Math.min(EARLY_MS, lifetime / 2) };
    const kept = this.#store.isCookie ? IN_COOKIE : refresh_token;
    if (kept !== null) await this.#store.set(kept);
    this.#tell(user);
  }

  /** Another tab has signed in, perhaps as somebody else. */
  #join(): void {
    this.#epoch += 1;
    this.#access = undefined;
    // Its mark may come later than its word.
    if (this.#store.isCookie) void this.#store.set(IN_COOKIE);
    this.restore().catch(() => undefined);
  }

  #end(how: SessionEnd): void {
    this.#epoch += 1;
    this.#isOver = true;
    this.#access = undefined;
    this.#tell(null, how);
  }

  #tell(user: UserResponse | null, end?: SessionEnd): void {
    const isAnother = user?.id !== this.user?.id || user?.role !== this.user?.role;
    this.user = user;
    if (isAnother) for (const listener of this.#listeners) safely(() => listener(user, end));
  }
}

const isOver = (error: unknown): boolean =>
  error instanceof CallboardError && (error.code === 401 || error.code === 'signed_out');
