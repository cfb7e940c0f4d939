import { DevicePresenceJob } from '../../src/device-groups/presence/device-presence.job';
import { OnlineCountService } from '../../src/device-groups/presence/online-count.service';
import type { ApiClient } from './api-client';
import { newUserIds } from './calls';
import type { DeviceFixture } from './device-fixture';
import type { TestApp } from './test-app';
import { testUser } from './users';

/** A device, and the client of the user that it signs in as. */
export interface Terminal {
  id: number;
  userId: number;
  api: ApiClient;
}

/** Creates a device that signs in as a new user. */
export async function createTerminal(
  fixture: DeviceFixture,
  name = 'Door',
  more: object = {},
): Promise<Terminal> {
  const [userId = 0] = newUserIds(1);
  const api = await testUser(fixture.admin, { id: userId });
  return { id: await fixture.device(name, { user_id: userId, ...more }), userId, api };
}

/** Sends a heartbeat of a device and returns the code. */
export const sendHeartbeat = async ({ api }: Pick<Terminal, 'api'>, body: object = {}): Promise<number> =>
  (await api.post('/api/devices/heartbeat', body)).body.code;

/** Runs the device presence job of an instance immediately, instead of within a second. */
export const runPresenceJob = (test: TestApp): Promise<void> => test.app.get(DevicePresenceJob).tick();

export const onlineCount = (test: TestApp): Promise<number> => test.app.get(OnlineCountService).current();

/** Returns a device as administrators see it. */
export const deviceOf = async (fixture: DeviceFixture, { id }: Pick<Terminal, 'id'>) =>
  (await fixture.admin.get(`/api/admin/devices/${id}`)).body.data;
