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
/** By then the tab that was faster has the next cookie. */
const ASK_AGAIN_MS = 500;
/** Between tries to go on with a session that the service could not be asked about. */
const TRY_AGAIN_MS = 5_000;
/** The longest that a timer waits. */
const MOST_MS = 2_147_483_647;

const REFUSED = 401;
const NO_COOKIE = 422;

/** The session of this browser: one for all of its tabs. The access token stays in memory, the refresh token in a cookie. */
export class Session {
  #state: SessionState = { status: 'starting' };
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #listeners = new Set<() => void>();
  readonly #channel = new BroadcastChannel(SHARED_NAME);

  constructor() {
    this.#channel.addEventListener('message', ({ data }: MessageEvent<'in' | 'out'>) => {
      if (data === 'out') this.#set({ status: 'signed-out' });
      else void this.start();
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
    if (localStorage.getItem(HINT) === null) {
      this.#set({ status: 'signed-out' });
      return;
    }
    try {
      this.#keep(await oneAfterTheOther(refreshPatiently));
    } catch (error) {
      const problem = toCallboardError(error);
      const isOver = problem.code === REFUSED || problem.code === NO_COOKIE;
      if (isOver) {
        localStorage.removeItem(HINT);
        this.#set({ status: 'signed-out' });
      } else if (this.#state.status === 'signed-in') this.#startIn(TRY_AGAIN_MS);
      else this.#set({ status: 'signed-out', problem });
    }
  }

  /** @throws {CallboardError} */
  async logIn(account: string, password: string): Promise<void> {
    const tokens = await logIn(account, password);
    localStorage.setItem(HINT, '1');
    this.#keep(tokens);
    this.#channel.postMessage('in');
  }

  /** Ends the session, in all tabs. @throws {CallboardError} when the service could not be told */
  async logOut(): Promise<void> {
    try {
      await logOut();
    } catch (error) {
      // Without the cookie there is no session to end.
      if (toCallboardError(error).code !== NO_COOKIE) throw error;
    }
    localStorage.removeItem(HINT);
    this.#set({ status: 'signed-out' });
    this.#channel.postMessage('out');
  }

  #keep({ user, access_token, expires_in }: Tokens): void {
    this.#set({ status: 'signed-in', user, accessToken: access_token });
    const wait = Math.max(expires_in * 1000 - REFRESH_EARLY_MS, REFRESH_EARLY_MS);
    this.#startIn(Math.min(wait, MOST_MS));
  }

  #startIn(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.start(), ms);
  }

  #set(state: SessionState): void {
    clearTimeout(this.#timer);
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

/** Two tabs must not use one refresh token. Where there are no locks (plain HTTP), the second one asks again. */
const oneAfterTheOther = <T>(work: () => Promise<T>): Promise<T> =>
  'locks' in navigator ? navigator.locks.request(SHARED_NAME, work) : work();

async function refreshPatiently(): Promise<Tokens> {
  try {
    return await refresh();
  } catch (error) {
    if (toCallboardError(error).code !== REFUSED) throw error;
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
    return refresh();
  }
}
