import { DeviceUpsertsService } from '../../src/device-groups/bulk/device-upserts.service';
import { Estate } from '../support/estate';
import { createTestApp } from '../support/test-app';

/** SQLite answers within the turn of the event loop that asks, so that nothing but the import itself gives way. */
describe('POST /api/admin/devices/import', () => {
  it('gives way to the event loop after every 200 of ten thousand lines', async () => {
    const test = await createTestApp({ env: { REQUEST_TIMEOUT_SECONDS: '600' } });
    const estate = await Estate.of(test);
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
    const { body } = await estate.admin
      .with({ 'content-type': 'text/csv' })
      .post('/api/admin/devices/import', `serial_no,name\n${rows.join('\n')}\n`);
    isOver = true;
    expect(body.data.created).toBe(10_000);
    expect(parts.map(({ lines }) => lines)).toEqual(Array.from({ length: 50 }, () => 200));
    expect(new Set(parts.map((part) => part.turn)).size).toBe(50);
    await test.close();
  });
});
