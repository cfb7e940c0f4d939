import { tryTo } from '../../config/try-to';

/* Rewriting of request URLs for the router. Pure functions. */

/** A path below /api without a route. */
const UNKNOWN_PATH = '/api/undecodable';

const NEEDS_REWRITE = /%|\/(\/|\?|$)/;
const PARTS = /^(\w+:\/\/[^/?]*)?([^?]*)(.*)$/s;
const EMPTY_SEGMENT = /\/(?=\/|$)/g;

/**
 * Returns the URL that the router uses, so that all unknown paths reach `UnknownRouteController`, after the guards. Two
 * kinds of paths would bypass them: a path that cannot be decoded, and a path below /api with an empty segment in place
 * of a parameter, such as `/api/calls/`, which the router matches to the route of a call, but Nest then does not match.
 * An empty segment is doubled, which matches no route. `*`, which is not a path, gets a leading slash; otherwise it
 * would be rejected before any hook.
 */
export function routableUrl(target: string): string {
  const url = target.startsWith('*') ? `/${target}` : target;
  if (!NEEDS_REWRITE.test(url)) return url;
  const [, origin = '', path = '', query = ''] = PARTS.exec(url) ?? [];
  const decoded = tryTo(() => decodeURI(path));
  if (decoded === undefined) return UNKNOWN_PATH;
  if (!/^\/api(\/|$)/.test(decoded)) return url;
  return `${origin}${path.replace(EMPTY_SEGMENT, '//')}${query}`;
}
