import { type AuditedActs, made, type Stage } from './audited-acts';

const PASSWORD = 'planted-password';
const USERS = '/api/admin/users';
const STARS = { password: '***' };

const aUser = async ({ admin, unique }: Stage, more: object = {}): Promise<number> =>
  made(await admin.post(USERS, { account: `account-${unique}`, password: PASSWORD, name: 'Ada', ...more }))
    .id;

const twoUsers = async (stage: Stage) => ({
  one: await aUser(stage),
  two: await aUser({ ...stage, unique: `${stage.unique}-b` }),
});

/** A user with two sessions, and the first of them. */
async function twoSessions(stage: Stage): Promise<{ id: number; session: number }> {
  const id = await aUser(stage);
  const credentials = { account: `account-${stage.unique}`, password: PASSWORD };
  for (let count = 0; count < 2; count += 1) made(await stage.test.api.post('/api/auth/login', credentials));
  const { items } = made(await stage.admin.get(`${USERS}/${id}/sessions`)) as unknown as {
    items: { id: number }[];
  };
  return { id, session: items[0]?.id ?? 0 };
}

/** Audited actions on users, by route. */
export const USER_ACTS: AuditedActs = {
  'DELETE /api/admin/users/:id/sessions': {
    action: 'session.delete',
    given: twoSessions,
    act: ({ admin }, { id }) => admin.delete(`${USERS}/${id}/sessions`),
    row: ({ id }) => ({ object_id: null, before: null, after: { user_id: id, ended: 2 } }),
    nothing: ({ admin }, { id }) => admin.delete(`${USERS}/${id}/sessions`),
    refused: ({ admin }) => admin.delete(`${USERS}/8000000000/sessions`),
  },
  'DELETE /api/admin/users/:id/sessions/:sessionId': {
    action: 'session.delete',
    given: twoSessions,
    act: ({ admin }, { id, session }) => admin.delete(`${USERS}/${id}/sessions/${session}`),
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
    refused: ({ admin }, { id, session }) => admin.delete(`${USERS}/${id}/sessions/${session}`),
  },
  'POST /api/admin/users': {
    action: 'user.create',
    act: ({ admin, unique }) =>
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
    refused: ({ admin, unique }) =>
      admin.post(USERS, { account: `new-${unique}`, password: PASSWORD, name: 'Eve' }),
  },
  'PUT /api/admin/users/:id': {
    action: 'user.update',
    given: async (stage) => ({ id: await aUser(stage) }),
    act: ({ admin }, { id }) => admin.put(`${USERS}/${id}`, { name: 'Bea', role: 'admin', status: 1 }),
    row: ({ id }) => ({
      object_id: String(id),
      before: { name: 'Ada', role: 'user' },
      after: { name: 'Bea', role: 'admin' },
    }),
    nothing: ({ admin }, { id }) => admin.put(`${USERS}/${id}`, { name: 'Bea' }),
    refused: ({ admin }, { id }) => admin.put(`${USERS}/${id}`, { status: 7 }),
  },
  'PUT /api/admin/users/bulk': {
    action: 'user.bulk_update',
    given: twoUsers,
    act: ({ admin }, { one, two }) => admin.put(`${USERS}/bulk`, { user_ids: [one, two], status: 0 }),
    row: ({ one, two }) => ({
      object_id: null,
      before: null,
      after: { affected: 2, user_ids: [one, two], status: 0 },
    }),
    nothing: ({ admin }, { one }) => admin.put(`${USERS}/bulk`, { user_ids: [one], status: 0 }),
    refused: ({ admin }, { one }) => admin.put(`${USERS}/bulk`, { user_ids: [one, 8e15], status: 1 }),
  },
  'PUT /api/admin/users/:id/password': {
    action: 'user.password',
    given: async (stage) => ({ id: await aUser(stage) }),
    act: ({ admin }, { id }) => admin.put(`${USERS}/${id}/password`, { password: `${PASSWORD}-2` }),
    row: ({ id }) => ({ object_id: String(id), before: STARS, after: STARS }),
    refused: ({ admin }) => admin.put(`${USERS}/8000000000/password`, { password: PASSWORD }),
  },
  'POST /api/admin/users/:id/tokens': {
    action: 'user.issue_token',
    given: async (stage) => ({
      id: await aUser(stage),
      boss: await aUser({ ...stage, unique: `${stage.unique}-b` }, { role: 'admin' }),
    }),
    act: ({ admin }, { id }) => admin.post(`${USERS}/${id}/tokens`),
    row: ({ id }) => ({ object_id: String(id), before: null, after: { token: '***' } }),
    refused: ({ admin }, { boss }) => admin.post(`${USERS}/${boss}/tokens`),
  },
  'POST /api/admin/users/bulk': {
    action: 'user.import',
    given: async (stage) => ({ known: await aUser(stage, { external_id: `x-${stage.unique}` }) }),
    act: ({ admin, unique }) =>
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
    nothing: ({ admin, unique }) =>
      admin.post(`${USERS}/bulk`, { users: [{ external_id: `x-${unique}`, name: 'Renamed' }, {}] }),
    refused: ({ admin }) => admin.post(`${USERS}/bulk`, { users: 'all' }),
  },
};
