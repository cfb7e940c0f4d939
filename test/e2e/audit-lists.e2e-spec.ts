import { DataSource } from 'typeorm';
import { AuditRetention } from '../../src/audit/audit-retention.job';
import { AuditLogEntity } from '../../src/audit/entities/audit-log.entity';
import type { AuditAction } from '../../src/audit/rules/audit-actions.rules';
import type { ApiClient } from '../support/api-client';
import { scrape } from '../support/metrics';
import { createTestApp, START, type TestApp } from '../support/test-app';

const AUDIT = '/api/admin/audit';

/** A row of the log; `second`: seconds after the start. */
type Line = [second: number, actor: string, action: AuditAction, object: string | null];

const LINES: Line[] = [
  [0, 'user 1', 'user.update', '7'],
  [1, 'key 1', 'user.update', '8'],
  [2, 'user 2', 'key.create', '1'],
  [2, 'user 1', 'key.update', '1'],
  [3, 'system', 'webhook.update', '7'],
  [4, 'user 1', 'user.update', '8'],
  [5, 'user 1', 'user.bulk_update', null],
];

describe('The audit log list', () => {
  let test: TestApp;
  let admin: ApiClient;
  beforeAll(async () => {
    test = await createTestApp();
    admin = await test.api.as({ id: 1, role: 'admin' });
    await write(LINES);
  });
  afterAll(() => test?.close());

  const write = (lines: Line[]) =>
    test.app.get(DataSource).manager.insert(
      AuditLogEntity,
      lines.map(([second, actor, action, object_id]) => {
        const [actor_type, id] = actor.split(' ') as ['user' | 'key' | 'system', string?];
        const isSystem = id === undefined;
        return {
          at: new Date(Date.parse(START) + second * 1000),
          actor_type,
          actor_id: isSystem ? null : Number(id),
          actor_name: isSystem ? null : actor,
          ip: isSystem ? null : '192.0.2.7',
          request_id: isSystem ? null : `r${second}`,
          action,
          object_type: action.split('.')[0] as 'user',
          object_id,
          fields_before: '{"status":1}',
          fields_after: null,
        };
      }),
    );

  const idsOf = async (query: string, client = admin): Promise<number[]> => {
    const { body } = await client.get(`${AUDIT}?${query}`);
    expect(body).toMatchObject({ code: 0 });
    return body.data.items.map(({ id }: { id: number }) => id);
  };

  it('is sorted newest first, and has no total', async () => {
    const { headers, body } = await admin.get(AUDIT);
    expect(headers['x-total-count']).toBeUndefined();
    expect(body.data.next_cursor).toBeNull();
    expect(body.data.items.map(({ id }: { id: number }) => id)).toEqual([7, 6, 5, 4, 3, 2, 1]);
    expect(body.data.items[2]).toEqual({
      id: 5,
      at: '2026-01-31T08:00:03.000Z',
      actor_type: 'system',
      actor_id: null,
      actor_name: null,
      ip: null,
      request_id: null,
      action: 'webhook.update',
      object_type: 'webhook',
      object_id: '7',
      before: { status: 1 },
      after: null,
    });
    expect(body.data.items[5]).toMatchObject({
      actor_type: 'key',
      actor_id: 1,
      actor_name: 'key 1',
      ip: '192.0.2.7',
    });
  });

  it.each([
    ['actor_id=1', [7, 6, 4, 2, 1]],
    ['actor_id=1&actor_type=user', [7, 6, 4, 1]],
    ['actor_id=1&actor_type=key', [2]],
    ['actor_type=system', [5]],
    ['actor_id=77', []],
    ['action=user.update', [6, 2, 1]],
    ['action=user.update&actor_id=1', [6, 2, 1]],
    ['action=user.update&actor_id=1&actor_type=key', [2]],
    ['object_type=user', [7, 6, 2, 1]],
    ['object_type=user&actor_id=1&actor_type=user', [7, 6, 1]],
    ['object_type=user&action=user.bulk_update', [7]],
    ['object_type=user&action=key.create', []],
    ['object_type=user&object_id=8', [6, 2]],
    ['object_type=webhook&object_id=7', [5]],
    ['object_type=user&object_id=8&actor_id=1&actor_type=user', [6]],
    ['object_type=key&object_id=1&action=key.create', [3]],
    ['from=2026-01-31T08:00:02Z', [7, 6, 5, 4, 3]],
    ['to=2026-01-31T08:00:02Z', [2, 1]],
    ['from=2026-01-31T08:00:01Z&to=2026-01-31T16:00:04%2B08:00&actor_id=1', [4, 2]],
    ['from=2026-01-31&to=2026-01-31', [7, 6, 5, 4, 3, 2, 1]],
    ['to=2026-01-30', []],
  ])('is filtered by %s, page by page', async (query, ids) => {
    expect(await idsOf(query)).toEqual(ids);
    for (const limit of [1, 2]) {
      const seen: number[] = [];
      let cursor = '';
      do {
        const { data } = (await admin.get(`${AUDIT}?${query}&limit=${limit}${cursor && `&cursor=${cursor}`}`))
          .body;
        seen.push(...data.items.map(({ id }: { id: number }) => id));
        cursor = data.next_cursor ?? '';
      } while (cursor !== '');
      expect(seen).toEqual(ids);
    }
  });

  it.each([
    ['limit=201', 'limit 不能大于 200'],
    ['cursor=x', 'cursor 取值无效'],
    ['action=user.explode', 'action 取值无效'],
    ['actor_type=user', 'actor_id 字段不能为空'],
    ['actor_type=system&actor_id=1', 'actor_id 取值无效'],
    ['actor_id=x', 'actor_id 必须是整数'],
    ['object_id=7', 'object_type 字段不能为空'],
    ['object_type=thing&object_id=7', 'object_type 取值无效'],
    ['from=yesterday', 'from 取值无效'],
    ['from=2026-02-01&to=2026-01-31', 'to 取值无效'],
  ])('rejects %s', async (query, message) => {
    expect((await admin.get(`${AUDIT}?${query}`)).body).toEqual({ code: 422, message, data: null });
  });

  it('accepts only a cursor of the same list', async () => {
    const { next_cursor } = (await admin.get(`${AUDIT}?limit=1&actor_id=1`)).body.data;
    expect((await admin.get(`${AUDIT}?limit=1&actor_id=2&cursor=${next_cursor}`)).body.message).toBe(
      'cursor 取值无效',
    );
    expect((await admin.get(`${AUDIT}?limit=5&actor_id=1&cursor=${next_cursor}`)).status).toBe(200);
  });

  it('applies the retention period, or keeps all rows when it is disabled', async () => {
    const trimmed = async (days: string): Promise<number[]> => {
      const other = await createTestApp({
        database: test.database,
        clock: test.clock,
        env: { AUDIT_RETENTION_DAYS: days },
      });
      await other.app.get(AuditRetention).trim();
      await other.close();
      return idsOf('limit=200');
    };
    // Two days and two seconds after the first row.
    test.clock.set('2026-02-02T08:00:02.000Z');
    expect(await trimmed('0')).toHaveLength(7);
    expect(await trimmed('3')).toHaveLength(7);
    expect((await scrape(admin)).callboard_audit_oldest_seconds).toBe(172_802);
    expect(await trimmed('2')).toEqual([7, 6, 5, 4, 3]);
    await write(Array.from({ length: 1_200 }, (): Line => [-100, 'user 1', 'user.update', '7']));
    expect(await trimmed('2')).toEqual([7, 6, 5, 4, 3]);
    expect((await scrape(admin)).callboard_audit_oldest_seconds).toBe(172_800);
  });
});
