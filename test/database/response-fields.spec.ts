import { DataSource, type MigrationInterface } from 'typeorm';
import { CountDevices1763800021000 } from '../../src/database/migrations/1763800021000-CountDevices';
import { EndMuting1763800020000 } from '../../src/database/migrations/1763800020000-EndMuting';
import { KeepNotificationData1763800022000 } from '../../src/database/migrations/1763800022000-KeepNotificationData';
import { LengthenEndReasons1763800023000 } from '../../src/database/migrations/1763800023000-LengthenEndReasons';
import { CreateAnnouncements1764130000000 } from '../../src/database/migrations/1764130000000-CreateAnnouncements';
import { createCall } from '../support/calls';
import { DeviceFixture } from '../support/device-fixture';
import { ChatUser } from '../support/messaging';
import { expectConsistentMessaging } from '../support/messaging-invariants';
import { createTestApp, type TestApp } from '../support/test-app';

const MIGRATIONS: MigrationInterface[] = [
  new EndMuting1763800020000(),
  new CountDevices1763800021000(),
  new KeepNotificationData1763800022000(),
  new LengthenEndReasons1763800023000(),
  // Removes a table that one of the others changes.
  new CreateAnnouncements1764130000000(),
];

describe('The migrations of additional response fields', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createTestApp();
  });
  afterAll(() => test?.close());

  it('keep existing data, and resume after an interruption', async () => {
    const [ann, ben] = (await ChatUser.signInAll(test.api, [2, 3])) as [ChatUser, ChatUser];
    const group = await ann.createGroup([3]);
    const { id: message } = await ann.send(group, 'before');
    await ben.settings(group, { muted: true });
    const fixture = await DeviceFixture.create(test);
    const devices = await fixture.devices(2);
    const deviceGroup = await fixture.group('G', { device_ids: devices });
    const call = await createCall(test.api, 'cancelled');
    const runner = test.app.get(DataSource).createQueryRunner();
    try {
      for (const migration of MIGRATIONS.toReversed()) await migration.down(runner);
      for (const migration of MIGRATIONS) {
        // Runs twice, because the first run may have been interrupted at any statement.
        await migration.up(runner);
        await migration.up(runner);
      }
    } finally {
      await runner.release();
    }
    expect(await ben.conversation(group)).toMatchObject({
      muted: true,
      mute_until: null,
      last_message: 'before',
      unread_count: 1,
    });
    expect(await ben.read(group, message)).toBe(0);
    const counts = await fixture.admin.get('/api/admin/device-groups/device-counts');
    expect(counts.body.data).toEqual([{ id: deviceGroup, device_count: 2, total_device_count: 2 }]);
    expect((await call.callee.get('/api/notifications')).body.data.list).toMatchObject([
      { type: 'call_missed', data: null },
    ]);
    expect(await call.record()).toMatchObject({ status: 'cancelled', end_reason: 'caller_cancel' });
    const again = await call.caller.post('/api/calls', { callee_id: call.calleeId });
    const reason = 'x'.repeat(64);
    const ended = await fixture.admin.post(`/api/admin/calls/${again.body.data.call_id}/end`, { reason });
    expect(ended.body.data).toMatchObject({ end_reason: reason });
    await expectConsistentMessaging(test.app.get(DataSource));
  });
});
