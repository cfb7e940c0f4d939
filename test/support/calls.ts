import type { ApiClient, ApiResponse } from './api-client';
import { testUser } from './users';

export type Stage = 'ringing' | 'accepted' | 'ongoing' | 'rejected' | 'cancelled' | 'ended';

/** A call between two users without other calls, with the clients of those involved. */
export interface CallFixture {
  id: number;
  caller: ApiClient;
  callee: ApiClient;
  stranger: ApiClient;
  callerId: number;
  calleeId: number;
  /** `POST /api/calls/{id}/{name}` */
  perform(who: ApiClient, name: string, body?: object): Promise<ApiResponse>;
  /** Returns the call record as the caller sees it. */
  record(): Promise<ApiResponse['body']>;
}

let lastUserId = 1000;

/** Returns ids of users that no other test uses. */
export const newUserIds = (count: number): number[] => Array.from({ length: count }, () => (lastUserId += 1));

/** Creates users and returns their clients. */
export const createUsers = (api: ApiClient, ...ids: number[]): Promise<ApiClient[]> =>
  Promise.all(ids.map((id) => testUser(api, { id })));

const ACTIONS: Record<Stage, [who: 'caller' | 'callee', act: string, body: object][]> = {
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
export async function createCall(
  api: ApiClient,
  stage: Stage = 'ringing',
  body: object = {},
): Promise<CallFixture> {
  const ids = newUserIds(3);
  const [callerId = 0, calleeId = 0] = ids;
  const [caller = api, callee = api, stranger = api] = await createUsers(api, ...ids);
  const created = await caller.post('/api/calls', { callee_id: calleeId, terminal_id: 'desk', ...body });
  expect(created.body.code).toBe(0);
  const id: number = created.body.data.call_id;
  const perform = (who: ApiClient, name: string, given?: object): Promise<ApiResponse> =>
    who.post(`/api/calls/${id}/${name}`, given);
  for (const [who, name, given] of ACTIONS[stage]) {
    const response = await perform(who === 'caller' ? caller : callee, name, given);
    expect(response.body.code).toBe(0);
  }
  const record = async (): Promise<ApiResponse['body']> => (await caller.get(`/api/calls/${id}`)).body.data;
  return { id, caller, callee, stranger, callerId, calleeId, perform, record };
}
