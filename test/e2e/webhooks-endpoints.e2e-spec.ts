import type { ApiClient } from '../support/api-client';
import { dataOf, verdictOf } from '../support/messaging';
import { createTestApp, type TestApp } from '../support/test-app';
import { type Endpoint, subscribe, WEBHOOKS } from '../support/webhooks';

const ROOT = '/api/admin/webhooks';
const WHOLE = `${ROOT}?per_page=100`;
const URL = 'https://backend.example/callboard';

describe('Endpoints of back ends', () => {
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

  it('are made with what is usual, and tell their secret once', async () => {
    const { secret, ...made } = dataOf(await admin.post(ROOT, { url: URL, event_types: ['call.ended'] }));
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
    const endpoint = {
      id: made.id,
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
    expect(made).toEqual(endpoint);
    expect(made.id).toBeGreaterThan(0);
    expect(dataOf(await admin.get(`${ROOT}/${made.id}`))).toEqual(endpoint);
    expect(dataOf(await admin.get(ROOT)).items).toEqual([endpoint]);
    const rows = JSON.stringify(await test.query('SELECT * FROM webhook_endpoints'));
    expect(rows).not.toContain(secret.slice('whsec_'.length));
    const rotated = await admin.post(`${ROOT}/${made.id}/secret`);
    expect(dataOf(rotated).secret).not.toBe(secret);
    expect(rotated.headers['cache-control']).toBe('no-store');
  });

  it('are listed in pages, by id', async () => {
    const ids: number[] = [];
    for (let made = 0; made < 3; made += 1) ids.push((await subscribe(admin, { url: URL })).id);
    const answer = await admin.get(`${ROOT}?page=2&per_page=2`);
    const { items, pagination } = dataOf(answer);
    expect(items.map(({ id }: { id: number }) => id)).toEqual([ids[2]]);
    expect(pagination).toEqual({ total: 3, per_page: 2, current_page: 2, last_page: 2, has_more: false });
    expect(answer.headers['x-total-count']).toBe('3');
    expect(dataOf(await admin.get(ROOT)).pagination).toMatchObject({ per_page: 20, last_page: 1 });
    expect(verdictOf(await admin.get(`${ROOT}?per_page=101`))).toEqual([422, 'per_page 不能大于 100']);
  });

  it('change in what is sent alone', async () => {
    const body = { url: URL, event_types: ['call.ended'], description: 'billing', include_content: true };
    const { secret: _, ...made } = await subscribe(admin, body);
    const change = async (sent: object) => dataOf(await admin.put(`${ROOT}/${made.id}`, sent));
    expect(await change({})).toEqual(made);
    expect(await change({ event_types: ['user.created', 'user.created'] })).toEqual({
      ...made,
      event_types: ['user.created'],
    });
    expect(await change({ description: '', event_types: ['*'], status: 0 })).toEqual({
      ...made,
      event_types: ['*'],
      description: null,
      status: 0,
    });
    expect(await change({ status: 1, include_content: false, url: 'https://other.example/' })).toEqual({
      ...made,
      url: 'https://other.example/',
      event_types: ['*'],
      description: null,
      include_content: false,
    });
  });

  it('are gone when they are deleted, and so is what belongs to them', async () => {
    const { id } = await subscribe(admin, { url: URL });
    const path = `${ROOT}/${id}`;
    expect((await admin.delete(path)).body).toEqual({ code: 0, message: '操作成功', data: null });
    expect(dataOf(await admin.get(ROOT)).items).toEqual([]);
    const replay = { since: '2026-01-31T08:00:00Z' };
    for (const answer of [
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
      expect([answer.status, ...verdictOf(answer)]).toEqual([404, 404, '回调地址不存在']);
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
    [{ url: 'https://[::1]/', event_types: ['*'] }, 'url 取值无效'],
    [{ url: 'https://127.0.0.2/', event_types: ['*'] }, 'url 取值无效'],
    [{ url: 'http://1.1.1.1/', event_types: ['*'] }, 'url 取值无效'],
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
  ])('are not made of %j', async (body, message) => {
    expect(verdictOf(await admin.post(ROOT, body))).toEqual([422, message]);
    expect(dataOf(await admin.get(ROOT)).items).toEqual([]);
  });

  it('do not move to where they could not have been made', async () => {
    const { id } = await subscribe(admin, { url: URL });
    expect(verdictOf(await admin.put(`${ROOT}/${id}`, { url: 'https://10.0.0.1/' }))).toEqual([
      422,
      'url 取值无效',
    ]);
    expect(verdictOf(await admin.put(`${ROOT}/${id}`, { url: ' ' }))).toEqual([422, 'url 字段不能为空']);
    expect(verdictOf(await admin.put(`${ROOT}/${id}`, { event_types: [] }))).toEqual([
      422,
      'event_types 字段不能为空',
    ]);
  });

  it('may be where operators allow it, without encryption too', async () => {
    expect((await subscribe(admin, { url: 'http://127.0.0.1:4000/' })).url).toBe('http://127.0.0.1:4000/');
    expect((await subscribe(admin, { url: 'http://inside.example/' })).url).toBe('http://inside.example/');
  });

  it('are fifty at most, also when many are made at once', async () => {
    const body = { url: URL, event_types: ['*'] };
    const first = await Promise.all(Array.from({ length: 45 }, () => admin.post(ROOT, body)));
    expect(first.map(({ body: { code } }) => code)).toEqual(first.map(() => 0));
    const answers = await Promise.all(Array.from({ length: 10 }, () => admin.post(ROOT, body)));
    const verdicts = answers.map(verdictOf).toSorted(([a], [b]) => a - b);
    expect(verdicts.map(([code]) => code)).toEqual([0, 0, 0, 0, 0, 422, 422, 422, 422, 422]);
    expect(verdicts.at(-1)).toEqual([422, 'url 数量不能超过 50']);
    await admin.delete(`${ROOT}/${dataOf(await admin.get(ROOT)).items[7].id}`);
    expect((await admin.post(ROOT, body)).body.code).toBe(0);
    expect(dataOf(await admin.get(WHOLE)).items).toHaveLength(50);
  });

  it('have a secret each', async () => {
    const secrets = new Set<string>();
    let id = 0;
    for (let index = 0; index < 5; index += 1) {
      const endpoint = await subscribe(admin, { url: URL });
      secrets.add(endpoint.secret);
      id = endpoint.id;
    }
    expect(secrets.size).toBe(5);
    const { secret } = dataOf(await admin.post(`${ROOT}/${id}/secret`)) as Endpoint;
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
    expect(secrets.has(secret)).toBe(false);
  });

  it('cannot be made, exchanged or tested without WEBHOOK_SECRET', async () => {
    const { id } = await subscribe(admin, { url: URL });
    const without = await createTestApp({ database: test.database, clock: test.clock });
    const asked = await without.api.as({ id: 1, role: 'admin' });
    for (const answer of [
      await asked.post(ROOT, { url: URL, event_types: ['*'] }),
      await asked.post(`${ROOT}/${id}/secret`),
      await asked.post(`${ROOT}/${id}/test`),
    ])
      expect([answer.status, ...verdictOf(answer)]).toEqual([503, 503, '服务暂不可用']);
    expect(dataOf(await asked.get(ROOT)).items).toHaveLength(1);
    await without.close();
  });
});
