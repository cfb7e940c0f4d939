import { createCall, type CallFixture, type Stage } from './calls';
import {
  agoraBody,
  type AgoraEvent,
  livekitBody,
  type LivekitEvent,
  postAgora,
  postLivekit,
} from './media-webhooks';
import type { TestApp } from './test-app';

/* Calls with webhooks from the media provider. */

/** Response to every accepted webhook. */
export const OK = { code: 0, message: '操作成功', data: null };
export const UNAUTHORIZED = { code: 401, message: '未授权', data: null };

/** Agora's event types. */
export const JOIN = 103;
export const LEAVE = 104;
export const DESTROYED = 102;

interface Uids {
  channel: string;
  caller: number;
  callee: number;
}

async function uidsOf(test: TestApp, { id }: CallFixture): Promise<Uids> {
  const [row] = await test.query(
    `SELECT channel_name AS channel, caller_uid AS caller, callee_uid AS callee FROM calls WHERE id = ${id}`,
  );
  return row as Uids;
}

/** Creates a call at a stage, and a function that posts webhooks about its Agora channel. */
export async function createAgoraCall(test: TestApp, stage: Stage) {
  const fixture = await createCall(test.api, stage);
  const { channel, caller, callee } = await uidsOf(test, fixture);
  const tell = async (eventType: number, more: Partial<AgoraEvent> = {}): Promise<void> => {
    const response = await postAgora(test.api, agoraBody({ eventType, channelName: channel, ...more }));
    expect([response.status, response.body]).toEqual([200, OK]);
  };
  return { scene: fixture, tell, channel, caller, callee };
}

/** Creates a call at a stage, and a function that posts webhooks about its LiveKit room. */
export async function createLivekitCall(test: TestApp, stage: Stage) {
  const fixture = await createCall(test.api, stage);
  const { channel, caller, callee } = await uidsOf(test, fixture);
  const tell = async (event: string, more: Partial<LivekitEvent> = {}): Promise<void> => {
    const body = livekitBody({ event, room: channel, createdAt: 100, ...more });
    const response = await postLivekit(test.api, body);
    expect([response.status, response.body]).toEqual([200, OK]);
  };
  return { scene: fixture, tell, caller: String(caller), callee: String(callee) };
}
