/* What the router makes of a request's URL. Pure. */

/** A path below /api that no route has. */
const NOWHERE = '/api/undecodable';

const ODD = /%|\/(\/|\?|$)/;
const PARTS = /^(\w+:\/\/[^/?]*)?([^?]*)(.*)$/s;
const EMPTY_SEGMENT = /\/(?=\/|$)/g;

/**
 * The URL that the router is to look for, so that whatever no route has gets to the unknown route, behind the guards.
 * Two kinds would pass them by: a path that cannot be decoded, and one below /api with an empty segment where a route
 * has a parameter, such as `/api/calls/`, which the router takes for a call's and Nest then for no path at all. An
 * empty segment becomes two, which no route has. And `*`, which is no path, would be refused before any hook.
 */
export function routableUrl(target: string): string {
  const url = target.startsWith('*') ? `/${target}` : target;
  if (!ODD.test(url)) return url;
  const [, origin = '', path = '', query = ''] = PARTS.exec(url) ?? [];
  const decoded = decode(path);
  if (decoded === undefined) return NOWHERE;
  if (!/^\/api(\/|$)/.test(decoded)) return url;
  return `${origin}${path.replace(EMPTY_SEGMENT, '//')}${query}`;
}

function decode(path: string): string | undefined {
  try {
    return decodeURI(path);
  } catch {
    return undefined;
  }
}
