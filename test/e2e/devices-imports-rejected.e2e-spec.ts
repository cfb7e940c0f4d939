import { DeviceFixture } from '../support/device-fixture';
import { createTestApp, type TestApp } from '../support/test-app';

const DEVICES = '/api/admin/devices';
const CSV = { 'content-type': 'text/csv' };

describe('POST /api/admin/devices/import', () => {
  let test: TestApp;
  let fixture: DeviceFixture;
  beforeAll(async () => {
    test = await createTestApp();
    fixture = await DeviceFixture.create(test);
  });
  afterAll(() => test?.close());

  const send = (file: string) => fixture.admin.with(CSV).post(`${DEVICES}/import`, file);

  it.each([
    ['', 'file 字段不能为空'],
    ['\n\n', 'file 字段不能为空'],
    ['name\nDoor\n', 'file 取值无效'],
    ['serial_no,colour\nA,red\n', 'file 取值无效'],
    ['serial_no,name\nA,"Door\n', 'file 取值无效'],
  ])('rejects %j', async (file, message) => {
    const response = await send(file);
    expect([response.status, response.body]).toEqual([422, { code: 422, message, data: null }]);
  });

  it('rejects files that are too long, not CSV or compressed, and CSV is rejected on other routes', async () => {
    const rejection = async (type: string, body: string | Buffer, more: Record<string, string> = {}) =>
      (await fixture.admin.with({ 'content-type': type, ...more }).post(`${DEVICES}/import`, body)).status;
    expect(await rejection('text/csv', `serial_no\n${'x'.repeat(1024 * 1024)}`)).toBe(413);
    expect(await rejection('application/json', '{"a": 1}')).toBe(415);
    expect(await rejection('text/plain', 'serial_no\nA\n')).toBe(415);
    expect(await rejection('text/csv', 'serial_no\nA\n', { 'content-encoding': 'gzip' })).toBe(415);
    expect(await rejection('text/csv; charset=utf-8', 'serial_no\n')).toBe(200);
    const elsewhere = await fixture.admin.with(CSV).post(DEVICES, 'name\nDoor\n');
    expect([elsewhere.status, elsewhere.body.code]).toEqual([415, 415]);
    expect((await fixture.admin.with(CSV).post(`${DEVICES}/bulk`, 'serial_no\nA\n')).status).toBe(415);
    expect((await fixture.admin.post(`${DEVICES}/import`)).body.message).toBe('file 字段不能为空');
  });
});
