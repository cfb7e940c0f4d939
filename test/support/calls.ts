import type { ApiClient, Answer } from './api-client';
import { testUser } from './users';

export type Stage = 'ringing' | 'accepted' | 'ongoing' | 'rejected' | 'cancelled' | 'ended';

/** A call between two users without other calls, with the clients of those involved. */
export interface CallScene {
  id: number;
  caller: ApiClient;
  callee: ApiClient;
  stranger: ApiClient;
  callerId: number;
  calleeId: number;
  /** `POST /api/calls/{id}/{act}` */
  act(who: ApiClient, act: string, body?: object): Promise<Answer>;
  /** Returns the call record as the caller sees it. */
  record(): Promise<Answer['body']>;
}

let lastUserId = 1000;

/** Returns ids of users that no other test uses. */
export const newUserIds = (count: number): number[] => Array.from({ length: count }, () => (lastUserId += 1));

/** Creates users and returns their clients. */
export const meet = (api: ApiClient, ...ids: number[]): Promise<ApiClient[]> =>
  Promise.all(ids.map((id) => testUser(api, { id })));

const STEPS: Record<Stage, [who: 'caller' | 'callee', act: string, body: object][]> = {
  ringing: [],
  accepted: [['callee', 'accept', { terminal_id: 'phone' }]],
  ongoing: [
    ['callee', 'accept', { terminal_id: 'phone' }],
    ['callee', 'media-state', { terminal_id: 'phone', stage: 'joined' }],
  ],
  rejected: [['callee', 'reject', {}]],
  cancelled: [['caller', 'cancel', {}]],
  ended: [
    ['callee', 'accept', { terminal_id: 'phone' }],
    ['caller', 'hangup', {}],
  ],
};

/** Places a call between two new users and brings it into a status. */
export async function aCall(api: ApiClient, stage: Stage = 'ringing', body: object = {}): Promise<CallScene> {
  const ids = newUserIds(3);
  const [callerId = 0, calleeId = 0] = ids;
  const [caller = api, callee = api, stranger = api] = await meet(api, ...ids);
  const created = await caller.post('/api/calls', { callee_id: calleeId, terminal_id: 'desk', ...body });
  expect(created.body.code).toBe(0);
  const id: number = created.body.data.call_id;
  const act = (who: ApiClient, name: string, given?: object): Promise<Answer> =>
    who.post(`/api/calls/${id}/${name}`, given);
  for (const [who, name, given] of STEPS[stage]) {
    const answer = await act(who === 'caller' ? caller : callee, name, given);
    expect(answer.body.code).toBe(0);
  }
  const record = async (): Promise<Answer['body']> => (await caller.get(`/api/calls/${id}`)).body.data;
  return { id, caller, callee, stranger, callerId, calleeId, act, record };
}
