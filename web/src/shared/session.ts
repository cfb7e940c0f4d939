import { logIn, logOut, refresh, type Tokens, type User } from './callboard';
import { CallboardError, toCallboardError } from './errors';

export type SessionState =
  | { status: 'starting' }
  /** `problem`: why the session could not be looked up, which may pass. */
  | { status: 'signed-out'; problem?: CallboardError }
  | { status: 'signed-in'; user: User; accessToken: string };

/** Whether this browser has logged in, and so has a cookie to try; no secret. */
const HINT = 'callboard.signed-in';
/** Tells the other tabs of a log-in or a log-out, and keeps their refreshes apart. */
const SHARED_NAME = 'callboard-session';
const REFRESH_EARLY_MS = 30_000;
/** How often a tab asks that another one was faster than, and the longest that it waits for the next cookie. */
const TRIES = { oneByOne: 2, allAtOnce: 4 };
const ASK_AGAIN_MS = 1_000;
/** Between tries to go on with a session that the service could not be asked about. */
const TRY_AGAIN_MS = 5_000;
/** The longest that a timer waits. */
const MOST_MS = 2_147_483_647;

const REFUSED = 401;
const NO_COOKIE = 422;

/** The session of this browser: one for all of its tabs. The access token stays in memory, the refresh token in a cookie. */
export class Session {
  #state: SessionState = { status: 'starting' };
  /** Grows with each log-in and log-out: what was asked for before says nothing of what is now. */
  #epoch = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #listeners = new Set<() => void>();
  readonly #channel = new BroadcastChannel(SHARED_NAME);

  constructor() {
    this.#channel.addEventListener('message', ({ data }: MessageEvent<'in' | 'out'>) => {
      if (data === 'out') this.#leave();
      // The hint may reach this tab after the message.
      else void this.#goOn();
    });
  }

  get state(): SessionState {
    return this.#state;
  }

  /** Calls back after each change; answers how to stop that. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Goes on with the session that this browser has, if any. */
  async start(): Promise<void> {
    if (localStorage.getItem(HINT) === null) this.#set({ status: 'signed-out' });
    else await this.#goOn();
  }

  /** Exchanges the cookie for the next one and an access token. */
  async #goOn(): Promise<void> {
    const epoch = this.#epoch;
    try {
      const tokens = await oneAfterTheOther(refreshPatiently);
      if (epoch === this.#epoch) this.#keep(tokens);
    } catch (error) {
      if (epoch !== this.#epoch) return;
      const problem = toCallboardError(error);
      const isOver = problem.code === REFUSED || problem.code === NO_COOKIE;
      if (isOver) {
        localStorage.removeItem(HINT);
        this.#set({ status: 'signed-out' });
      } else if (this.#state.status === 'signed-in') this.#goOnIn(TRY_AGAIN_MS);
      else this.#set({ status: 'signed-out', problem });
    }
  }

  /** @throws {CallboardError} */
  async logIn(account: string, password: string): Promise<void> {
    const tokens = await oneAfterTheOther(() => logIn(account, password));
    this.#epoch += 1;
    localStorage.setItem(HINT, '1');
    this.#keep(tokens);
    this.#channel.postMessage('in');
  }

  /** Ends the session, in all tabs. @throws {CallboardError} when the service could not be told */
  async logOut(): Promise<void> {
    try {
      await oneAfterTheOther(logOut);
    } catch (error) {
      // Without the cookie there is no session to end.
      if (toCallboardError(error).code !== NO_COOKIE) throw error;
    }
    localStorage.removeItem(HINT);
    this.#leave();
    this.#channel.postMessage('out');
  }

  #leave(): void {
    this.#epoch += 1;
    this.#set({ status: 'signed-out' });
  }

  #keep({ user, access_token, expires_in }: Tokens): void {
    this.#set({ status: 'signed-in', user, accessToken: access_token });
    const wait = Math.max(expires_in * 1000 - REFRESH_EARLY_MS, REFRESH_EARLY_MS);
    this.#goOnIn(Math.min(wait, MOST_MS));
  }

  #goOnIn(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#goOn(), ms);
  }

  #set(state: SessionState): void {
    clearTimeout(this.#timer);
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

const hasLocks = 'locks' in navigator;

/** No two tabs use one cookie at the same time; where there are no locks, over plain HTTP, the slower one asks again. */
const oneAfterTheOther = <T>(work: () => Promise<T>): Promise<T> =>
  hasLocks ? navigator.locks.request(SHARED_NAME, work) : work();

async function refreshPatiently(): Promise<Tokens> {
  for (let left = hasLocks ? TRIES.oneByOne : TRIES.allAtOnce; ; left -= 1) {
    try {
      return await refresh();
    } catch (error) {
      if (toCallboardError(error).code !== REFUSED || left === 1) throw error;
      // At another moment than the others that were too late.
      await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS * (0.2 + 0.8 * Math.random())));
    }
  }
}
