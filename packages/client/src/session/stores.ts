import { trySetItem } from '../environment.js';

/**
 * Storage of the refresh token between visits. The token grants a whole session: never put it into localStorage, which every
 * script of the page can read.
 */
export interface RefreshTokenStore {
  /**
   * Whether the service keeps the token in a cookie that scripts cannot read. The store then only records that there is one.
   */
  readonly isCookie?: boolean;
  /** Whether other tabs or processes use the same token. */
  readonly isShared?: boolean;
  get(): Promise<string | null> | string | null;
  set(token: string | null): Promise<void> | void;
}

/** Placeholder for a token in a cookie that scripts cannot read. */
export const IN_COOKIE = 'in a cookie';
const HINT = 'callboard-signed-in';

/**
 * Store for browsers: the service sets an HttpOnly cookie. The page must be of the service's own origin. A flag in localStorage
 * records that there is a cookie, so that a first visit sends no refresh request.
 */
export function cookieStore(): RefreshTokenStore {
  // Used if localStorage is full: then only this page knows of the cookie.
  let isKnownToPage = false;
  return {
    isCookie: true,
    isShared: true,
    get: () => {
      const storage = localStorageOf();
      return isKnownToPage || storage === undefined || storage.getItem(HINT) !== null ? IN_COOKIE : null;
    },
    set: (token) => {
      const storage = localStorageOf();
      if (token === null) storage?.removeItem(HINT);
      isKnownToPage = token !== null && !trySetItem(storage, HINT, '1');
    },
  };
}

/** Returns localStorage; undefined if the browser denies access. `get` then assumes that there is a cookie. */
function localStorageOf(): Storage | undefined {
  try {
    return globalThis.document === undefined ? undefined : globalThis.localStorage;
  } catch {
    return undefined;
  }
}

/** Store for programs that sign in at each start. `token`: the initial refresh token. */
export function memoryStore(token: string | null = null): RefreshTokenStore {
  let stored = token;
  return {
    get: () => stored,
    set: (next) => {
      stored = next;
    },
  };
}
