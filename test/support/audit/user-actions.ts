import { type AuditedActions, requireData, type AuditFixture } from './audited-actions';

const PASSWORD = 'planted-password';
const USERS = '/api/admin/users';
const MASKED_PASSWORD = { password: '***' };

const createUser = async ({ admin, unique }: AuditFixture, more: object = {}): Promise<number> =>
  requireData(
    await admin.post(USERS, { account: `account-${unique}`, password: PASSWORD, name: 'Ada', ...more }),
  ).id;

const twoUsers = async (stage: AuditFixture) => ({
  one: await createUser(stage),
  two: await createUser({ ...stage, unique: `${stage.unique}-b` }),
});

/** A user with two sessions, and the first of them. */
async function twoSessions(stage: AuditFixture): Promise<{ id: number; session: number }> {
  const id = await createUser(stage);
  const credentials = { account: `account-${stage.unique}`, password: PASSWORD };
  for (let count = 0; count < 2; count += 1)
    requireData(await stage.test.api.post('/api/auth/login', credentials));
  const { items } = requireData(await stage.admin.get(`${USERS}/${id}/sessions`)) as unknown as {
    items: { id: number }[];
  };
  return { id, session: items[0]?.id ?? 0 };
}

/** Audited actions on users, by route. */
export const USER_ACTIONS: AuditedActions = {
  'DELETE /api/admin/users/:id/sessions': {
    action: 'session.delete',
    setUp: twoSessions,
    request: ({ admin }, { id }) => admin.delete(`${USERS}/${id}/sessions`),
    row: ({ id }) => ({ object_id: null, before: null, after: { user_id: id, ended: 2 } }),
    unchanged: ({ admin }, { id }) => admin.delete(`${USERS}/${id}/sessions`),
    rejected: ({ admin }) => admin.delete(`${USERS}/8000000000/sessions`),
  },
  'DELETE /api/admin/users/:id/sessions/:sessionId': {
    action: 'session.delete',
    setUp: twoSessions,
    request: ({ admin }, { id, session }) => admin.delete(`${USERS}/${id}/sessions/${session}`),
    row: ({ id, session }) => ({
      object_id: String(session),
      before: {
        user_id: id,
        created_at: '2026-01-31T08:00:00.000Z',
        last_used_at: '2026-01-31T08:00:00.000Z',
        ip: '127.0.0.1',
        user_agent: 'lightMyRequest',
      },
      after: null,
    }),
    rejected: ({ admin }, { id, session }) => admin.delete(`${USERS}/${id}/sessions/${session}`),
  },
  'POST /api/admin/users': {
    action: 'user.create',
    request: ({ admin, unique }) =>
      admin.post(USERS, {
        account: `new-${unique}`,
        password: PASSWORD,
        name: 'Ada',
        external_id: `x-${unique}`,
      }),
    row: (_given, { body }, { unique }) => ({
      object_id: String(body.data.id),
      before: null,
      after: {
        account: `new-${unique}`,
        external_id: `x-${unique}`,
        name: 'Ada',
        avatar: null,
        role: 'user',
        status: 1,
        password: '***',
      },
    }),
    rejected: ({ admin, unique }) =>
      admin.post(USERS, { account: `new-${unique}`, password: PASSWORD, name: 'Eve' }),
  },
  'PUT /api/admin/users/:id': {
    action: 'user.update',
    setUp: async (stage) => ({ id: await createUser(stage) }),
    request: ({ admin }, { id }) => admin.put(`${USERS}/${id}`, { name: 'Bea', role: 'admin', status: 1 }),
    row: ({ id }) => ({
      object_id: String(id),
      before: { name: 'Ada', role: 'user' },
      after: { name: 'Bea', role: 'admin' },
    }),
    unchanged: ({ admin }, { id }) => admin.put(`${USERS}/${id}`, { name: 'Bea' }),
    rejected: ({ admin }, { id }) => admin.put(`${USERS}/${id}`, { status: 7 }),
  },
  'PUT /api/admin/users/bulk': {
    action: 'user.bulk_update',
    setUp: twoUsers,
    request: ({ admin }, { one, two }) => admin.put(`${USERS}/bulk`, { user_ids: [one, two], status: 0 }),
    row: ({ one, two }) => ({
      object_id: null,
      before: null,
      after: { affected: 2, user_ids: [one, two], status: 0 },
    }),
    unchanged: ({ admin }, { one }) => admin.put(`${USERS}/bulk`, { user_ids: [one], status: 0 }),
    rejected: ({ admin }, { one }) => admin.put(`${USERS}/bulk`, { user_ids: [one, 8e15], status: 1 }),
  },
  'PUT /api/admin/users/matching': {
    action: 'user.bulk_update',
    setUp: async (stage) => ({ one: await createUser(stage, { external_id: `x-${stage.unique}` }) }),
    request: ({ admin, unique }) => admin.put(`${USERS}/matching?external_id=x-${unique}`, { status: 0 }),
    row: ({ one }) => ({
      object_id: null,
      before: null,
      after: { affected: 1, user_ids: [one], status: 0 },
    }),
    unchanged: ({ admin, unique }) => admin.put(`${USERS}/matching?external_id=x-${unique}`, { status: 0 }),
    rejected: ({ admin }) => admin.put(`${USERS}/matching?external_id=unknown`, {}),
  },
  'PUT /api/admin/users/:id/password': {
    action: 'user.password',
    setUp: async (stage) => ({ id: await createUser(stage) }),
    request: ({ admin }, { id }) => admin.put(`${USERS}/${id}/password`, { password: `${PASSWORD}-2` }),
    row: ({ id }) => ({ object_id: String(id), before: MASKED_PASSWORD, after: MASKED_PASSWORD }),
    rejected: ({ admin }) => admin.put(`${USERS}/8000000000/password`, { password: PASSWORD }),
  },
  'POST /api/admin/users/:id/tokens': {
    action: 'user.issue_token',
    setUp: async (stage) => ({
      id: await createUser(stage),
      boss: await createUser({ ...stage, unique: `${stage.unique}-b` }, { role: 'admin' }),
    }),
    request: ({ admin }, { id }) => admin.post(`${USERS}/${id}/tokens`),
    row: ({ id }) => ({ object_id: String(id), before: null, after: { token: '***' } }),
    rejected: ({ admin }, { boss }) => admin.post(`${USERS}/${boss}/tokens`),
  },
  'POST /api/admin/users/bulk': {
    action: 'user.import',
    setUp: async (stage) => ({ known: await createUser(stage, { external_id: `x-${stage.unique}` }) }),
    request: ({ admin, unique }) =>
      admin.post(`${USERS}/bulk`, {
        users: [
          { external_id: `y-${unique}`, name: 'New' },
          { external_id: `x-${unique}`, name: 'Renamed' },
          { external_id: '' },
        ],
      }),
    row: ({ known }, { body }) => ({
      object_id: null,
      before: null,
      after: { created: 1, updated: 1, failed: 1, user_ids: [body.data.items[0].id, known] },
    }),
    unchanged: ({ admin, unique }) =>
      admin.post(`${USERS}/bulk`, { users: [{ external_id: `x-${unique}`, name: 'Renamed' }, {}] }),
    rejected: ({ admin }) => admin.post(`${USERS}/bulk`, { users: 'all' }),
  },
};
