import type { MediaConfig } from '../config/media-config';

/* What a browser may do with a page (contract 18.9). Pure. */

/** Where Agora's SDK for the web goes, on ports of its own too (its firewall requirements). */
const AGORA_DOMAINS = ['agora.io', 'sd-rtn.com', 'rtnsvc.com', 'rtesvc.com'];

/** The web client, which calls, or the administrators' panel, which does not. */
export type PageKind = 'client' | 'panel';

/** The headers of a page; the service's own answers have stricter ones. */
export const pageHeaders = (kind: PageKind, media: MediaConfig): Record<string, string> => ({
  'Content-Security-Policy': policyOf(kind === 'client' ? mediaServers(media) : []),
  'Permissions-Policy': 'camera=(self), microphone=(self)',
  // Kept, but asked about each time: what it names changes with each version.
  'Cache-Control': 'no-cache',
});

function policyOf(servers: string[]): string {
  const directives = [
    `default-src 'none'`,
    `script-src 'self'`,
    // Libraries of components write styles while the page runs.
    `style-src 'self' 'unsafe-inline'`,
    // Pictures of people and messages are wherever their owners keep them.
    `img-src 'self' data: blob: https: http:`,
    `media-src 'self' blob: https:`,
    `font-src 'self'`,
    `manifest-src 'self'`,
    `connect-src ${["'self'", ...servers].join(' ')}`,
    // In which the providers' SDKs decode.
    ...(servers.length > 0 ? ['worker-src blob:'] : []),
    `frame-ancestors 'none'`,
    `base-uri 'none'`,
    `form-action 'self'`,
  ];
  return directives.join('; ');
}

/** Whom the page talks to for sound and pictures, other than the service. */
function mediaServers(media: MediaConfig): string[] {
  if (media.provider === 'agora')
    return AGORA_DOMAINS.flatMap((domain) => [`https://*.${domain}:*`, `wss://*.${domain}:*`]);
  if (media.provider === 'webrtc' || media.url === undefined) return [];
  // LiveKit's client opens a socket, and asks by HTTP why when it cannot.
  const { protocol, host } = new URL(media.url);
  return ['wss:', 'https:'].includes(protocol)
    ? [`https://${host}`, `wss://${host}`]
    : [`http://${host}`, `ws://${host}`];
}
