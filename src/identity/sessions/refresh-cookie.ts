import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyRequest } from 'fastify';
import { BusinessError } from '../../common/errors/business-error';

/* The refresh token in a cookie that scripts cannot read, for the web app of the service (API 2.7). Pure. */

const NAME = 'callboard_refresh';
/** The cookie is sent only to these routes. */
const PATH = '/api/auth';

/** The parts of a request that are read here. With `TRUST_PROXY` protocol and host come from the proxy's headers. */
export type CookieRequest = Pick<FastifyRequest, 'headers' | 'protocol' | 'host'>;

/**
 * Returns the refresh token of the request's cookie; undefined without a cookie.
 * @throws {BusinessError} BAD_REQUEST for two cookies of this name: another site under the same domain may have set one
 */
export function readRefreshCookie({ headers: { cookie = '' } }: CookieRequest): string | undefined {
  const names = cookie.split(';').map((pair) => pair.split('=', 1)[0]?.trim());
  if (names.indexOf(NAME) !== names.lastIndexOf(NAME)) throw new BusinessError('BAD_REQUEST');
  return parseCookie(cookie)[NAME] || undefined;
}

/** Returns a `Set-Cookie` value with this lifetime; 0 seconds delete the cookie. */
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

/** Origin of a request, according to the browser's headers. */
export type Origin = 'own' | 'foreign' | 'unknown';

/**
 * Returns whether a request was sent by the web app of this service. `Sec-Fetch-Site`, which no page can set, decides
 * if it is `same-origin` or `cross-site`. Otherwise `Origin` must be the request's own origin; without it a browser's
 * request is `foreign`. Clients other than browsers send neither header: `unknown`.
 */
export function originOf(request: CookieRequest): Origin {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site === 'same-origin') return 'own';
  if (site === 'cross-site') return 'foreign';
  if (origin === undefined) return site === undefined ? 'unknown' : 'foreign';
  return isOwn(origin, request) ? 'own' : 'foreign';
}

/**
 * Returns whether `origin` is the request's own. The schemes are only compared if the request is known to be https:
 * behind an untrusted proxy an https request appears as http.
 */
function isOwn(origin: string, { protocol, host }: CookieRequest): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol: scheme, host: originHost } = new URL(origin);
  // Parsed as a URL too, so that a default port such as `:443` makes no difference.
  const expected = `${scheme}//${host}`;
  return (
    URL.canParse(expected) &&
    new URL(expected).host === originHost &&
    (protocol !== 'https' || scheme === 'https:')
  );
}
