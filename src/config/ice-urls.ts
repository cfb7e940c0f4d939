import type { EnvReader } from './env-reader';

/*
 * Addresses of STUN and TURN servers (RFC 7064, RFC 7065). `new RTCPeerConnection` throws at one that it cannot read, and
 * no call would come about any more, so each is looked at here.
 */

const HOST = String.raw`(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])`;
const PORT = '(?::(?<port>\\d{1,5}))?';

/** `stun:` or `stuns:`, a host, and perhaps a port. */
export const STUN_URL = new RegExp(`^stuns?:${HOST}${PORT}$`, 'i');
/** `turn:` or `turns:`, the same, and perhaps how to get there. */
export const TURN_URL = new RegExp(`^turns?:${HOST}${PORT}(?:\\?transport=(?:udp|tcp))?$`, 'i');

const EXAMPLES = new Map([
  [STUN_URL, 'stun:stun.example:3478'],
  [TURN_URL, 'turn:turn.example:3478?transport=udp'],
]);

/** The addresses of a variable, separated by commas; what is none is a problem, which does not repeat it. */
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
