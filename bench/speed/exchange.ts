import { tokenOf } from '../tokens';

/** A request and its sender. */
export interface RequestSpec {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  user: number;
  role?: 'user' | 'admin';
  headers?: Record<string, string>;
  body?: object;
  /** Number of concurrent copies. Default: 1. */
  times?: number;
}

/** A response without the parts that differ between runs, and without the event cursor, which only the service has. */
export interface ComparedResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Headers that differ between responses or belong to the connection. */
const NOT_COMPARED = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'transfer-encoding',
  'x-request-id',
]);

/** Sends a request and masks timestamps after `start` in the response. */
export async function exchange(url: string, sent: RequestSpec, start: Date): Promise<ComparedResponse> {
  const { method, path, user, role, headers, body } = sent;
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${tokenOf(user, role)}`,
      'accept-encoding': 'identity',
      ...headers,
      ...(body && { 'content-type': 'application/json' }),
    },
    body: body && JSON.stringify(body),
  });
  return {
    status: response.status,
    headers: Object.fromEntries(
      [...response.headers]
        .filter(([name]) => !NOT_COMPARED.has(name))
        .map(([name, value]) => [name, name === 'x-event-cursor' ? '<cursor>' : value]),
    ),
    body: masked(await response.text(), start),
  };
}

const ZONE_MS = 8 * 3_600_000;

/**
 * Masks the parts of a text that differ between runs: timestamps after `start`, durations, channels,
 * media uids and tokens.
 */
export function masked(text: string, start: Date): string {
  const isNew = (moment: number): boolean => moment >= Math.floor(start.getTime() / 1000) * 1000;
  return (
    text
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (found) => (isNew(Date.parse(found)) ? '<now>' : found))
      .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, (found) =>
        isNew(Date.parse(`${found.replace(' ', 'T')}Z`) - ZONE_MS) ? '<now>' : found,
      )
      .replaceAll(/"time":"\d\d:\d\d",("created_at"|"last_message_at"):"<now>"/g, '"time":"<now>",$1:"<now>"')
      // The order of an object's keys has no meaning.
      .replaceAll(
        /("by_type":\{)([^}]*)/g,
        (_, head: string, types: string) => head + types.split(',').toSorted().join(','),
      )
      .replaceAll(/"duration":\d+/g, '"duration":"<seconds>"')
      .replaceAll(/call-[0-9a-f-]{36}/g, 'call-<uuid>')
      .replaceAll(/"(caller_uid|callee_uid)":"\d+"/g, '"$1":"<uid>"')
      .replaceAll(/"rtc_token":"007[^"]+"/g, '"rtc_token":"007<token>"')
  );
}
