import { DeviceUpsertsService } from '../../src/device-groups/bulk/device-upserts.service';
import { DeviceFixture } from '../support/device-fixture';
import { createTestApp } from '../support/test-app';

/** SQLite responds in the same turn of the event loop, so only the import itself yields. */
describe('POST /api/admin/devices/import', () => {
  it('yields to the event loop after every 200 of ten thousand lines', async () => {
    const test = await createTestApp({ env: { REQUEST_TIMEOUT_SECONDS: '600' } });
    const fixture = await DeviceFixture.create(test);
    let turn = 0;
    let isOver = false;
    const count = (): void => {
      turn += 1;
      if (!isOver) setImmediate(count);
    };
    const service = test.app.get(DeviceUpsertsService);
    const apply = service.apply.bind(service);
    const parts: { turn: number; lines: number }[] = [];
    jest.spyOn(service, 'apply').mockImplementation((lines, how) => {
      parts.push({ turn, lines: lines.length });
      return apply(lines, how);
    });
    const rows = Array.from({ length: 10_000 }, (_, index) => `SN-${index},Device ${index}`);
    setImmediate(count);
    const { body } = await fixture.admin
      .with({ 'content-type': 'text/csv' })
      .post('/api/admin/devices/import', `serial_no,name\n${rows.join('\n')}\n`);
    isOver = true;
    expect(body.data.created).toBe(10_000);
    expect(parts.map(({ lines }) => lines)).toEqual(Array.from({ length: 50 }, () => 200));
    expect(new Set(parts.map((part) => part.turn)).size).toBe(50);
    await test.close();
  });
});
