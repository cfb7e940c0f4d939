import type { MediaConfig } from '../config/media-config';

/* Security and cache headers of the web app (API 16.5). */

/** Domains that Agora's web SDK connects to, also on other ports (see Agora's firewall requirements). */
const AGORA_DOMAINS = ['agora.io', 'sd-rtn.com', 'rtnsvc.com', 'rtesvc.com'];

/** `client`: the web client, which makes calls; `panel`: the administration panel, which does not. */
export type PageKind = 'client' | 'panel';

/** Returns the headers of a page; API responses have stricter ones. */
export const pageHeaders = (kind: PageKind, media: MediaConfig): Record<string, string> => ({
  'Content-Security-Policy': kind === 'client' ? clientPolicy(mediaServers(media)) : policyOf([], []),
  'Permissions-Policy': 'camera=(self), microphone=(self)',
  // Cached but revalidated: the assets that it references change with each version.
  'Cache-Control': 'no-cache',
});

/** The client has a service worker, and the SDKs of the media providers decode in workers. */
const clientPolicy = (servers: string[]): string =>
  policyOf(servers, servers.length > 0 ? ["'self'", 'blob:'] : ["'self'"]);

function policyOf(servers: string[], workers: string[]): string {
  const directives = [
    `default-src 'none'`,
    `script-src 'self'`,
    // Component libraries add styles at run time.
    `style-src 'self' 'unsafe-inline'`,
    // Pictures of users, and files of messages, may be on any host.
    `img-src 'self' data: blob: https: http:`,
    `media-src 'self' blob: https: http:`,
    `font-src 'self'`,
    `manifest-src 'self'`,
    `connect-src ${["'self'", ...servers].join(' ')}`,
    ...(workers.length > 0 ? [`worker-src ${workers.join(' ')}`] : []),
    `frame-ancestors 'none'`,
    `base-uri 'none'`,
    `form-action 'self'`,
  ];
  return directives.join('; ');
}

/** Returns the media servers that the page connects to, other than the service. */
function mediaServers(media: MediaConfig): string[] {
  if (media.provider === 'agora')
    return AGORA_DOMAINS.flatMap((domain) => [`https://*.${domain}:*`, `wss://*.${domain}:*`]);
  if (media.provider === 'webrtc' || media.url === undefined) return [];
  // LiveKit's client opens a WebSocket; if that fails, it requests the reason by HTTP.
  const { protocol, host } = new URL(media.url);
  return ['wss:', 'https:'].includes(protocol)
    ? [`https://${host}`, `wss://${host}`]
    : [`http://${host}`, `ws://${host}`];
}
