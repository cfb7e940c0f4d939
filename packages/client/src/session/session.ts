import { canElect, type Channel, monotonicNow, withLock, openChannel, pause } from '../environment.js';
import { CallboardError, isSessionOver } from '../errors.js';
import { safely } from '../events/listener.js';
import type { UserResponse } from '../generated/types.gen.js';
import type { TokenSource, Transport } from '../http/transport.js';
import { BeforeLogoutHooks } from './before-logout-hooks.js';
import { IN_COOKIE, type RefreshTokenStore } from './stores.js';

/** Response of log-in and refresh. The refresh token is null if it is in a cookie. */
interface Tokens {
  access_token: string;
  expires_in: number;
  refresh_token: string | null;
  user: UserResponse;
  terminal_id: string;
}

interface AccessToken {
  value: string;
  /** Time on the monotonic clock `monotonicNow()`, because the time of day may be wrong. */
  renewAt: number;
}

type Message = 'signed-in' | 'signing-out' | 'signed-out';

/** Why a session ended: by a log-out in this or another tab, or because the service rejected it. */
export type SessionEnd = 'logged_out' | 'refused';

/**
 * Called with the user after a log-in or a change of role. Called with null after the session ended, and `end` is the reason.
 */
export type SessionListener = (user: UserResponse | null, end?: SessionEnd) => void;

/** A token is renewed this long before it expires, or at half of its lifetime if that is shorter. */
const RENEW_EARLY_MS = 30_000;
/** The service returns 401 for a refresh token that another tab has just used. Its successor is stored within this time. */
const GRACE_MS = 1_000;
/** Maximum number of refresh attempts. Without locks, tabs refresh concurrently, and one may lose the race more than once. */
const MAX_TRIES = { serialized: 2, concurrent: 4 };

const LOG_IN = 'logIn POST /api/auth/login public';
const REFRESH = 'refreshTokens POST /api/auth/refresh public';
const LOG_OUT = 'logOut POST /api/auth/logout public';

/**
 * Session of a user who signs in with account and password. The access token stays in memory and is renewed 30 s before it
 * expires, or when it is rejected. Over https one tab at a time renews it. All tabs are notified of a log-in and a log-out.
 */
export class Session implements TokenSource {
  /** The signed-in user; null if there is none. */
  user: UserResponse | null = null;
  readonly #transport: Transport;
  readonly #store: RefreshTokenStore;
  readonly #channel: Channel<Message> | undefined;
  readonly #listeners = new Set<SessionListener>();
  readonly #beforeLogoutHooks: BeforeLogoutHooks;
  #access: AccessToken | undefined;
  #refreshing: Promise<void> | undefined;
  /** Counts log-ins and log-outs. A response that belongs to an earlier epoch is discarded. */
  #epoch = 0;
  /** The session has ended. The content of the store is ignored until `logIn` or `restore`. */
  #isOver = false;

  constructor(transport: Transport, store: RefreshTokenStore) {
    this.#transport = transport;
    this.#store = store;
    this.#beforeLogoutHooks = new BeforeLogoutHooks(
      store.isShared ? `callboard log-out ${transport.baseUrl}` : undefined,
    );
    const onMessage = (message: Message): void => {
      if (message === 'signed-in') this.#restoreFromOtherTab();
      else if (message === 'signed-out') this.#end('logged_out');
      else void this.#beforeLogoutHooks.run();
    };
    if (store.isShared) this.#channel = openChannel(`callboard session ${transport.baseUrl}`, onMessage);
  }

  /** Signs in. @throws {CallboardError} 401 for a wrong account or password; 429 after too many attempts, with `retryAfter` */
  async logIn(account: string, password: string): Promise<UserResponse> {
    const body = { account, password, ...(this.#store.isCookie && { cookie: true }) };
    const epoch = (this.#epoch += 1);
    const { data } = await this.#transport.send<Tokens>(LOG_IN, { body });
    if (epoch !== this.#epoch) throw new CallboardError('signed_out');
    await this.#applyTokens(data);
    this.#channel?.post('signed-in');
    return data.user;
  }

  /** Restores the session of an earlier visit. Returns the signed-in user; null if there is none. */
  async restore(): Promise<UserResponse | null> {
    this.#isOver = false;
    try {
      await this.#refresh();
    } catch (error) {
      if (!isSessionOver(error)) throw error;
    }
    return this.user;
  }

  /**
   * Signs out in all tabs, after the hooks of `beforeLogOut`.
   * @throws {CallboardError} if the request fails; then the cookie still exists, and the next visit would be signed in
   */
  async logOut(): Promise<void> {
    const { isCookie } = this.#store;
    this.#channel?.post('signing-out');
    await this.#beforeLogoutHooks.run();
    await this.#beforeLogoutHooks.waitForOtherTabs();
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

  /** Calls `listener` when the signed-in user or the user's role changes. Returns a function that removes the listener. */
  onChange(listener: SessionListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Runs `hook` before a log-out in this or another tab, while the token is still valid: for example, to hang up a call. The
   * log-out waits at most 10 s for the hooks of this tab, then at most 10 s for those of other tabs, and ignores their errors.
   * Returns a function that removes the hook.
   */
  beforeLogOut(hook: () => Promise<unknown>): () => void {
    return this.#beforeLogoutHooks.add(hook);
  }

  async token(): Promise<string> {
    if (this.#isOver) throw new CallboardError('signed_out');
    const access = this.#access;
    if (access !== undefined && monotonicNow() < access.renewAt) return access.value;
    try {
      await this.#refresh();
    } catch (error) {
      // The old token may still be valid. If it is not, the service rejects it.
      if (access === undefined || access !== this.#access) throw error;
    }
    if (this.#access === undefined) throw new CallboardError('signed_out');
    return this.#access.value;
  }

  async refused(token: string): Promise<boolean> {
    const epoch = this.#epoch;
    if (this.#access?.value === token) this.#access = undefined;
    // Another request may have renewed the token already.
    if (this.#access === undefined && !this.#isOver) await this.#refresh();
    return epoch === this.#epoch && this.#access !== undefined;
  }

  /** Refreshes once at a time, because a refresh token can be used once. */
  #refresh(): Promise<void> {
    this.#refreshing ??= withLock(`callboard refresh ${this.#transport.baseUrl}`, () =>
      this.#renew(),
    ).finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #renew(): Promise<void> {
    const epoch = this.#epoch;
    for (let triesLeft = canElect() ? MAX_TRIES.serialized : MAX_TRIES.concurrent; ; triesLeft -= 1) {
      const refreshToken = await this.#store.get();
      if (refreshToken === null) {
        if (epoch === this.#epoch) this.#end('refused');
        throw new CallboardError('signed_out');
      }
      try {
        // keepalive: if the page is left, the cookie that replaces the used one must not be lost.
        const parts = this.#store.isCookie ? { keepalive: true } : { body: { refresh_token: refreshToken } };
        const { data } = await this.#transport.send<Tokens>(REFRESH, parts);
        if (epoch === this.#epoch) await this.#applyTokens(data);
        return;
      } catch (error) {
        if (epoch !== this.#epoch) throw error;
        const hasNoCookie = this.#store.isCookie && error instanceof CallboardError && error.code === 422;
        if (!isSessionOver(error) && !hasNoCookie) throw error;
        if (triesLeft === 1 || !this.#store.isShared || hasNoCookie) {
          await this.#store.set(null);
          this.#end('refused');
          throw new CallboardError('signed_out', undefined, { status: 401, cause: error });
        }
        // Random, so that tabs that lost the race do not collide again.
        await pause(GRACE_MS * (0.2 + 0.8 * Math.random()));
      }
    }
  }

  async #applyTokens({ access_token: value, expires_in, refresh_token, user }: Tokens): Promise<void> {
    const lifetime = expires_in * 1000;
    this.#isOver = false;
    this.#access = { value, renewAt: monotonicNow() + lifetime - Math.min(RENEW_EARLY_MS, lifetime / 2) };
    const storedToken = this.#store.isCookie ? IN_COOKIE : refresh_token;
    if (storedToken !== null) await this.#store.set(storedToken);
    this.#setUser(user);
  }

  /** Restores the session after another tab has signed in, perhaps as a different user. */
  #restoreFromOtherTab(): void {
    this.#epoch += 1;
    this.#access = undefined;
    // The other tab's entry in localStorage may arrive later than its message.
    if (this.#store.isCookie) void this.#store.set(IN_COOKIE);
    this.restore().catch(() => undefined);
  }

  #end(reason: SessionEnd): void {
    this.#epoch += 1;
    this.#isOver = true;
    this.#access = undefined;
    this.#setUser(null, reason);
  }

  #setUser(user: UserResponse | null, end?: SessionEnd): void {
    const hasChanged = user?.id !== this.user?.id || user?.role !== this.user?.role;
    this.user = user;
    if (hasChanged) for (const listener of this.#listeners) safely(() => listener(user, end));
  }
}
