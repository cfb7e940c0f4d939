import type { ApiClient } from '../support/api-client';
import { auditRows } from '../support/audit';
import { createTestApp, type TestApp } from '../support/test-app';

describe('The trail of an administrator', () => {
  let test: TestApp;
  let admin: ApiClient;
  beforeEach(async () => {
    test = await createTestApp();
    admin = await test.api.as({ id: 900_001, role: 'admin', name: 'Boss' });
  });
  afterEach(() => test?.close());

  it('has a row for what is made, changed and deleted: who, from where, what', async () => {
    const made = await admin.post('/api/admin/keys', { name: 'CRM', scopes: ['calls:read'] });
    const { id, prefix } = made.body.data as { id: number; prefix: string };
    await admin.put(`/api/admin/keys/${id}`, { name: 'ERP', scopes: ['calls:read'] });
    await admin.delete(`/api/admin/keys/${id}`);
    const who = { actor_type: 'user', actor_id: 900_001, actor_name: 'Boss', ip: '127.0.0.1' };
    const what = { object_type: 'key', object_id: '1', request_id: expect.stringMatching(/^[\w-]{36}$/) };
    const fields = {
      prefix: prefix.slice(4),
      scopes: ['calls:read'],
      rate_per_minute: 3_000,
      expires_at: null,
    };
    expect(await auditRows(test)).toEqual([
      { ...who, ...what, action: 'key.create', before: null, after: { name: 'CRM', ...fields } },
      { ...who, ...what, action: 'key.update', before: { name: 'CRM' }, after: { name: 'ERP' } },
      { ...who, ...what, action: 'key.delete', before: { name: 'ERP', ...fields }, after: null },
    ]);
  });
});
