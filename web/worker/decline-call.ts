/** Lock under which the pages of this browser renew their token: a refresh token can be used once. */
const REFRESH_LOCK = 'callboard refresh ';
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
 * @throws {Error} the session has ended, or the service cannot be reached
 */
export async function declineCall(callId: number): Promise<void> {
  declined.add(callId);
  const { code, data } = await navigator.locks.request(REFRESH_LOCK, () =>
    post<{ access_token: string }>('/api/auth/refresh', {}),
  );
  if (code !== 0) throw new Error(`The session cannot be renewed: ${code}`);
  const answer = await post(`/api/calls/${callId}/reject`, { authorization: `Bearer ${data.access_token}` });
  if (answer.code !== 0 && !NOT_RINGING.has(answer.code))
    throw new Error(`The call cannot be declined: ${answer.code}`);
}

async function post<T>(path: string, headers: Record<string, string>): Promise<Envelope<T>> {
  const response = await fetch(path, {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'content-type': 'application/json', ...headers },
    body: '{}',
  });
  return (await response.json()) as Envelope<T>;
}
