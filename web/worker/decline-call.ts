/** Lock under which the pages of this browser renew their token: a refresh token can be used once. */
const REFRESH_LOCK = 'callboard refresh ';
/**
 * Maximum time to wait for all requests. Chrome lets a click on a notification open a page for 10 s: after that the user could neither
 * decline nor see why.
 */
const MAX_DECLINE_MS = 7_000;
/** The call is over, or was answered on another device. */
const NOT_RINGING = new Set([404, 41007, 41008]);

const declined = new Set<number>();

/** Whether the call was declined in this browser. The service also reports that to the terminal that declined. */
export const wasDeclinedHere = (callId: number | undefined): boolean =>
  callId !== undefined && declined.has(callId);

interface Envelope<T> {
  code: number;
  data: T;
}

/**
 * Rejects a call without a page, with a token of the user's session.
 * @throws {Error} the session has ended, or the service cannot be reached or does not respond
 *   within 7 s
 */
export async function declineCall(callId: number): Promise<void> {
  declined.add(callId);
  const signal = AbortSignal.timeout(MAX_DECLINE_MS);
  const timedOut = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  await Promise.race([timedOut, rejectCall(callId, signal)]);
}

async function rejectCall(callId: number, signal: AbortSignal): Promise<void> {
  // The signal ends only the wait for the lock. Aborting the refresh would lose the cookie that replaces the used one, and the
  // next refresh would end the session.
  const { code, data } = await navigator.locks.request(REFRESH_LOCK, { signal }, () =>
    post<{ access_token: string }>('/api/auth/refresh', {}, { keepalive: true }),
  );
  if (code !== 0) throw new Error(`The session cannot be renewed: ${code}`);
  const headers = { authorization: `Bearer ${data.access_token}` };
  const answer = await post(`/api/calls/${callId}/reject`, headers, { signal });
  if (answer.code !== 0 && !NOT_RINGING.has(answer.code))
    throw new Error(`The call cannot be declined: ${answer.code}`);
}

async function post<T>(
  path: string,
  headers: Record<string, string>,
  options: Pick<RequestInit, 'signal' | 'keepalive'>,
): Promise<Envelope<T>> {
  const response = await fetch(path, {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'content-type': 'application/json', ...headers },
    body: '{}',
    ...options,
  });
  return (await response.json()) as Envelope<T>;
}
