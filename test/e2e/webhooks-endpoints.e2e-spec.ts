import type { ApiClient } from '../support/api-client';
import { dataOf, errorOf } from '../support/messaging';
import { createTestApp, type TestApp } from '../support/test-app';
import { subscribe, WEBHOOKS } from '../support/webhooks';

const ROOT = '/api/admin/webhooks';
const WHOLE = `${ROOT}?per_page=100`;
const URL = 'https://backend.example/callboard';

describe('Webhook endpoints', () => {
  let test: TestApp;
  let admin: ApiClient;
  beforeAll(async () => {
    test = await createTestApp({ env: WEBHOOKS });
    admin = await test.api.as({ id: 1, role: 'admin' });
  });
  afterEach(async () => {
    for (const { id } of dataOf(await admin.get(WHOLE)).items) await admin.delete(`${ROOT}/${id}`);
  });
  afterAll(() => test?.close());

  it('are created with defaults, and return their secret once', async () => {
    const { secret, ...created } = dataOf(await admin.post(ROOT, { url: URL, event_types: ['call.ended'] }));
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
    const endpoint = {
      id: created.id,
      url: URL,
      event_types: ['call.ended'],
      description: null,
      include_content: false,
      status: 1,
      version: '2026-12-01',
      disabled_reason: null,
      pending: 0,
      last_success_at: null,
      last_failure_at: null,
      created_at: '2026-01-31T08:00:00.000Z',
    };
    expect(created).toEqual(endpoint);
    expect(created.id).toBeGreaterThan(0);
    expect(dataOf(await admin.get(`${ROOT}/${created.id}`))).toEqual(endpoint);
    expect(dataOf(await admin.get(ROOT)).items).toEqual([endpoint]);
    const rows = JSON.stringify(await test.query('SELECT * FROM webhook_endpoints'));
    expect(rows).not.toContain(secret.slice('whsec_'.length));
    const rotated = await admin.post(`${ROOT}/${created.id}/secret`);
    expect(dataOf(rotated).secret).not.toBe(secret);
    expect(rotated.headers['cache-control']).toBe('no-store');
  });

  it('are listed in pages by id', async () => {
    const ids: number[] = [];
    for (let created = 0; created < 3; created += 1) ids.push((await subscribe(admin, { url: URL })).id);
    const response = await admin.get(`${ROOT}?page=2&per_page=2`);
    const { items, pagination } = dataOf(response);
    expect(items.map(({ id }: { id: number }) => id)).toEqual([ids[2]]);
    expect(pagination).toEqual({ total: 3, per_page: 2, current_page: 2, last_page: 2, has_more: false });
    expect(response.headers['x-total-count']).toBe('3');
    expect(dataOf(await admin.get(ROOT)).pagination).toMatchObject({ per_page: 20, last_page: 1 });
    expect(errorOf(await admin.get(`${ROOT}?per_page=101`))).toEqual([422, 'per_page 不能大于 100']);
  });

  it('are changed only in the given fields', async () => {
    const body = { url: URL, event_types: ['call.ended'], description: 'billing', include_content: true };
    const { secret: _, ...created } = await subscribe(admin, body);
    const change = async (sent: object) => dataOf(await admin.put(`${ROOT}/${created.id}`, sent));
    expect(await change({})).toEqual(created);
    expect(await change({ event_types: ['user.created', 'user.created'] })).toEqual({
      ...created,
      event_types: ['user.created'],
    });
    expect(await change({ description: '', event_types: ['*'], status: 0 })).toEqual({
      ...created,
      event_types: ['*'],
      description: null,
      status: 0,
    });
    expect(await change({ status: 1, include_content: false, url: 'https://other.example/' })).toEqual({
      ...created,
      url: 'https://other.example/',
      event_types: ['*'],
      description: null,
      include_content: false,
    });
  });

  it('are deleted with their deliveries', async () => {
    const { id } = await subscribe(admin, { url: URL });
    const path = `${ROOT}/${id}`;
    expect((await admin.delete(path)).body).toEqual({ code: 0, message: '操作成功', data: null });
    expect(dataOf(await admin.get(ROOT)).items).toEqual([]);
    const replay = { since: '2026-01-31T08:00:00Z' };
    for (const response of [
      await admin.get(path),
      await admin.put(path, { status: 1 }),
      await admin.delete(path),
      await admin.post(`${path}/secret`),
      await admin.post(`${path}/test`),
      await admin.get(`${path}/deliveries`),
      await admin.get(`${path}/deliveries/1`),
      await admin.post(`${path}/deliveries/1/redeliver`),
      await admin.post(`${path}/replay`, replay),
    ])
      expect([response.status, ...errorOf(response)]).toEqual([404, 404, '回调地址不存在']);
  });

  it.each([
    [{ event_types: ['*'] }, 'url 字段不能为空'],
    [{ url: ' \n', event_types: ['*'] }, 'url 字段不能为空'],
    [{ url: 7, event_types: ['*'] }, 'url 必须是字符串'],
    [{ url: `https://a.example/${'x'.repeat(1_000)}`, event_types: ['*'] }, 'url 长度不能超过 1000 个字符'],
    [{ url: 'ftp://a.example/', event_types: ['*'] }, 'url 取值无效'],
    [{ url: 'a.example', event_types: ['*'] }, 'url 取值无效'],
    [{ url: 'https://', event_types: ['*'] }, 'url 取值无效'],
    [{ url: 'https://user@a.example/', event_types: ['*'] }, 'url 取值无效'],
    [{ url: 'https://:secret@a.example/', event_types: ['*'] }, 'url 取值无效'],
    [{ url: 'https://a.example/#part', event_types: ['*'] }, 'url 取值无效'],
    [{ url: 'https://a.example/#', event_types: ['*'] }, 'url 取值无效'],
    [{ url: 'https://10.0.0.1/', event_types: ['*'] }, 'url 取值无效'],
    [{ url: URL }, 'event_types 字段不能为空'],
    [{ url: URL, event_types: [] }, 'event_types 字段不能为空'],
    [{ url: URL, event_types: '*' }, 'event_types 必须是数组'],
    [{ url: URL, event_types: ['*', 'call.ended'] }, 'event_types 取值无效'],
    [{ url: URL, event_types: ['call.exploded'] }, 'event_types 取值无效'],
    [{ url: URL, event_types: ['webhook.test'] }, 'event_types 取值无效'],
    [{ url: URL, event_types: [7, null] }, 'event_types 取值无效'],
    [{ url: URL, event_types: Array.from({ length: 51 }, (_, n) => `t${n}`) }, 'event_types 数量不能超过 50'],
    [{ url: URL, event_types: ['*'], description: 'x'.repeat(201) }, 'description 长度不能超过 200 个字符'],
    [{ url: URL, event_types: ['*'], include_content: 1 }, 'include_content 取值无效'],
    [{ url: URL, event_types: ['*'], status: 2 }, 'status 取值无效'],
  ])('reject %j', async (body, message) => {
    expect(errorOf(await admin.post(ROOT, body))).toEqual([422, message]);
    expect(dataOf(await admin.get(ROOT)).items).toEqual([]);
  });

  it('cannot be changed to a URL that is rejected at creation', async () => {
    const { id } = await subscribe(admin, { url: URL });
    expect(errorOf(await admin.put(`${ROOT}/${id}`, { url: 'https://10.0.0.1/' }))).toEqual([
      422,
      'url 取值无效',
    ]);
    expect(errorOf(await admin.put(`${ROOT}/${id}`, { url: ' ' }))).toEqual([422, 'url 字段不能为空']);
    expect(errorOf(await admin.put(`${ROOT}/${id}`, { event_types: [] }))).toEqual([
      422,
      'event_types 字段不能为空',
    ]);
  });

  it('are limited to fifty, also for concurrent requests', async () => {
    const body = { url: URL, event_types: ['*'] };
    const first = await Promise.all(Array.from({ length: 45 }, () => admin.post(ROOT, body)));
    expect(first.map(({ body: { code } }) => code)).toEqual(first.map(() => 0));
    const responses = await Promise.all(Array.from({ length: 10 }, () => admin.post(ROOT, body)));
    const verdicts = responses.map(errorOf).toSorted(([a], [b]) => a - b);
    expect(verdicts.map(([code]) => code)).toEqual([0, 0, 0, 0, 0, 422, 422, 422, 422, 422]);
    expect(verdicts.at(-1)).toEqual([422, 'url 数量不能超过 50']);
    await admin.delete(`${ROOT}/${dataOf(await admin.get(ROOT)).items[7].id}`);
    expect((await admin.post(ROOT, body)).body.code).toBe(0);
    expect(dataOf(await admin.get(WHOLE)).items).toHaveLength(50);
  });

  it('cannot be created, rotated or tested without WEBHOOK_SECRET', async () => {
    const { id } = await subscribe(admin, { url: URL });
    const without = await createTestApp({ database: test.database, clock: test.clock });
    const asked = await without.api.as({ id: 1, role: 'admin' });
    for (const response of [
      await asked.post(ROOT, { url: URL, event_types: ['*'] }),
      await asked.post(`${ROOT}/${id}/secret`),
      await asked.post(`${ROOT}/${id}/test`),
    ])
      expect([response.status, ...errorOf(response)]).toEqual([503, 503, '服务暂不可用']);
    expect(dataOf(await asked.get(ROOT)).items).toHaveLength(1);
    await without.close();
  });
});
