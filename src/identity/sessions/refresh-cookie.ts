import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyRequest } from 'fastify';
import { BusinessError } from '../../common/errors/business-error';

/*
 * The refresh token in a cookie that scripts cannot read, for pages of the service itself (contract 18.9). Pure.
 */

const NAME = 'callboard_refresh';
/** The only routes that it is sent to. */
const PATH = '/api/auth';

/** What is asked of a request; its protocol and host are the proxy's word where `TRUST_PROXY` says so. */
export type CookieRequest = Pick<FastifyRequest, 'headers' | 'protocol' | 'host'>;

/**
 * Returns the refresh token of the request's cookie; undefined without one.
 * @throws {BusinessError} BAD_REQUEST for more than one, of which another site under the same domain may have set either
 */
export function readRefreshCookie({ headers: { cookie = '' } }: CookieRequest): string | undefined {
  const names = cookie.split(';').map((pair) => pair.split('=', 1)[0]?.trim());
  if (names.indexOf(NAME) !== names.lastIndexOf(NAME)) throw new BusinessError('BAD_REQUEST');
  return parseCookie(cookie)[NAME] || undefined;
}

/** `Set-Cookie` for a refresh token that lasts for so many seconds; for 0 seconds: the cookie goes. */
export const refreshCookie = (token: string, seconds: number, { protocol }: CookieRequest): string =>
  stringifySetCookie({
    name: NAME,
    value: token,
    maxAge: seconds,
    path: PATH,
    httpOnly: true,
    secure: protocol === 'https',
    sameSite: 'strict',
  });

/** Where a browser says that a request comes from. */
export type Origin = 'own' | 'foreign' | 'unknown';

/**
 * Whether a request was made by a page of the service's own: by `Sec-Fetch-Site`, which no page can set, else by an `Origin`
 * that is the request's own. What comes from another site is foreign, whatever else it says; programs that are no browsers
 * say nothing.
 */
export function originOf(request: CookieRequest): Origin {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site === 'same-origin') return 'own';
  if (site === 'cross-site') return 'foreign';
  if (origin === undefined) return site === undefined ? 'unknown' : 'foreign';
  return isOwn(origin, request) ? 'own' : 'foreign';
}

/** Behind a proxy that is not trusted, plain HTTP is what is seen of https: the scheme counts where it is known. */
function isOwn(origin: string, { protocol, host }: CookieRequest): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol: scheme, host: theirs } = new URL(origin);
  // Read by the same rules, so that `:443` is no difference.
  const own = `${scheme}//${host}`;
  return URL.canParse(own) && new URL(own).host === theirs && (protocol !== 'https' || scheme === 'https:');
}
