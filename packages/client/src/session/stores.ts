/**
 * Where the refresh token is kept between visits. It is worth a whole session: never put it into localStorage, where every
 * script of the page reads it.
 */
export interface RefreshTokenStore {
  /** The service keeps it in a cookie that no script can read; nothing comes by here. */
  readonly isCookie?: boolean;
  /** Whether other tabs or processes use the same one. */
  readonly isShared?: boolean;
  get(): Promise<string | null> | string | null;
  set(token: string | null): Promise<void> | void;
}

/** For browsers: the service sets an HttpOnly cookie. The page must be of the service's own origin. */
export const cookieStore = (): RefreshTokenStore => ({
  isCookie: true,
  isShared: true,
  get: () => null,
  set: () => undefined,
});

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
