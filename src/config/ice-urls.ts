import type { EnvReader } from './env-reader';

/*
 * URLs of STUN and TURN servers (RFC 7064, RFC 7065). They are validated here because `new RTCPeerConnection` throws an
 * error for an invalid URL, and all calls would fail.
 */

const HOST = String.raw`(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])`;
const PORT = '(?::(?<port>\\d{1,5}))?';

/** `stun:` or `stuns:`, a host, and optionally a port. */
export const STUN_URL = new RegExp(`^stuns?:${HOST}${PORT}$`, 'i');
/** `turn:` or `turns:`, a host, and optionally a port and a transport. */
export const TURN_URL = new RegExp(`^turns?:${HOST}${PORT}(?:\\?transport=(?:udp|tcp))?$`, 'i');

const EXAMPLES = new Map([
  [STUN_URL, 'stun:stun.example:3478'],
  [TURN_URL, 'turn:turn.example:3478?transport=udp'],
]);

/** Reads a comma-separated list of URLs. The text of a problem does not contain the invalid URL. */
export function readIceUrls(read: EnvReader, name: string, form: RegExp): string[] {
  const urls = read.list(name);
  if (!urls.every((url) => isIceUrl(url, form)))
    read.problem(`${name} must be addresses such as ${EXAMPLES.get(form)}, separated by commas`);
  return urls;
}

function isIceUrl(url: string, form: RegExp): boolean {
  const match = form.exec(url);
  const port = Number(match?.groups?.port ?? 1);
  return match !== null && port >= 1 && port <= 65_535;
}
