import { keepIn } from '../environment.js';

/**
 * Where the refresh token is kept between visits. It is worth a whole session: never put it into localStorage, where every
 * script of the page reads it.
 */
export interface RefreshTokenStore {
  /** The service keeps it in a cookie that no script can read; what comes by here is only a mark that there is one. */
  readonly isCookie?: boolean;
  /** Whether other tabs or processes use the same one. */
  readonly isShared?: boolean;
  get(): Promise<string | null> | string | null;
  set(token: string | null): Promise<void> | void;
}

/** Stands for the token that nobody here can read. */
export const IN_COOKIE = 'in a cookie';
const HINT = 'callboard-signed-in';

/**
 * For browsers: the service sets an HttpOnly cookie. The page must be of the service's own origin. That there is one is noted
 * in localStorage, so that nobody is asked on a first visit.
 */
export function cookieStore(): RefreshTokenStore {
  // What could not be noted, for want of room, is known to this page alone.
  let isKnownHere = false;
  return {
    isCookie: true,
    isShared: true,
    get: () => {
      const storage = localStorageOf();
      return isKnownHere || storage === undefined || storage.getItem(HINT) !== null ? IN_COOKIE : null;
    },
    set: (token) => {
      const storage = localStorageOf();
      if (token === null) storage?.removeItem(HINT);
      isKnownHere = token !== null && !keepIn(storage, HINT, '1');
    },
  };
}

/** Browsers may forbid it; then the service is asked. */
function localStorageOf(): Storage | undefined {
  try {
    return globalThis.document === undefined ? undefined : globalThis.localStorage;
  } catch {
    return undefined;
  }
}

/** For programs that sign in each time they start. `token`: one to begin with. */
export function memoryStore(token: string | null = null): RefreshTokenStore {
  let kept = token;
  return {
    get: () => kept,
    set: (next) => {
      kept = next;
    },
  };
}
