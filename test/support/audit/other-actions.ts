import type { ApiClient } from '../api-client';
import { createCall } from '../calls';
import { newUserIds, createUsers } from '../calls';
import { type AuditedActions, type CreatedIds, requireData, type AuditFixture } from './audited-actions';

const WEBHOOKS = '/api/admin/webhooks';
const KEYS = '/api/admin/keys';
/** An address without a listener. Its path and query stand for a secret. */
const ADDRESS = 'http://127.0.0.1:9/hooks/planted-path?token=planted-token';
const MASKED_ADDRESS = 'http://127.0.0.1:9/***';
const MASKED_SECRET = { secret: '***' };

const createEndpoint = async ({ admin }: AuditFixture): Promise<CreatedIds> => ({
  id: requireData(await admin.post(WEBHOOKS, { url: ADDRESS, event_types: ['call.ended'] })).id,
});

/** An endpoint with a failed delivery. */
async function createFailure(stage: AuditFixture): Promise<CreatedIds> {
  const { id = 0 } = await createEndpoint(stage);
  requireData(await stage.admin.post(`${WEBHOOKS}/${id}/test`));
  const [delivery] = requireData(await stage.admin.get(`${WEBHOOKS}/${id}/deliveries`)).items as unknown as {
    id: number;
  }[];
  return { id, delivery: delivery?.id ?? 0, unknown: 8_000_000_000 };
}

/** An endpoint with a failed delivery that is no test: tests are not replayed. */
async function createReplayable(stage: AuditFixture): Promise<CreatedIds> {
  const ids = await createFailure(stage);
  await stage.test.query(
    `UPDATE webhook_deliveries SET event_type = 'call.ended' WHERE id = ${ids.delivery}`,
  );
  return ids;
}

const endpoint = {
  url: MASKED_ADDRESS,
  event_types: ['call.ended'],
  description: null,
  include_content: false,
  status: 1,
  disabled_reason: null,
};

const WEBHOOK_ACTIONS: AuditedActions = {
  'POST /api/admin/webhooks': {
    action: 'webhook.create',
    request: ({ admin }) => admin.post(WEBHOOKS, { url: ADDRESS, event_types: ['call.ended'] }),
    row: (_given, { body }) => ({ object_id: String(body.data.id), before: null, after: endpoint }),
    rejected: ({ admin }) => admin.post(WEBHOOKS, { url: 'ftp://x', event_types: ['call.ended'] }),
  },
  'PUT /api/admin/webhooks/:id': {
    action: 'webhook.update',
    setUp: createEndpoint,
    request: ({ admin }, { id }) =>
      admin.put(`${WEBHOOKS}/${id}`, { url: `${ADDRESS}2`, description: 'Bills' }),
    row: ({ id }) => ({
      object_id: String(id),
      before: { url: MASKED_ADDRESS, description: null },
      after: { url: MASKED_ADDRESS, description: 'Bills' },
    }),
    unchanged: ({ admin }, { id }) => admin.put(`${WEBHOOKS}/${id}`, { description: 'Bills', status: 1 }),
    rejected: ({ admin }, { id }) => admin.put(`${WEBHOOKS}/${id}`, { event_types: ['nothing'] }),
  },
  'DELETE /api/admin/webhooks/:id': {
    action: 'webhook.delete',
    setUp: createEndpoint,
    request: ({ admin }, { id }) => admin.delete(`${WEBHOOKS}/${id}`),
    row: ({ id }) => ({ object_id: String(id), before: endpoint, after: null }),
    rejected: ({ admin }, { id }) => admin.delete(`${WEBHOOKS}/${id}`),
  },
  'POST /api/admin/webhooks/:id/secret': {
    action: 'webhook.rotate',
    setUp: createEndpoint,
    request: ({ admin }, { id }) => admin.post(`${WEBHOOKS}/${id}/secret`),
    row: ({ id }) => ({ object_id: String(id), before: MASKED_SECRET, after: MASKED_SECRET }),
    rejected: ({ admin }) => admin.post(`${WEBHOOKS}/8000000000/secret`),
  },
  'POST /api/admin/webhooks/:id/test': {
    action: 'webhook.test',
    setUp: createFailure,
    request: ({ admin }, { id }) => admin.post(`${WEBHOOKS}/${id}/test`),
    row: ({ id, delivery = 0 }) => ({
      object_id: String(id),
      before: null,
      after: { delivery_id: delivery + 1 },
    }),
    rejected: ({ admin }) => admin.post(`${WEBHOOKS}/8000000000/test`),
  },
  'POST /api/admin/webhooks/:id/deliveries/:deliveryId/redeliver': {
    action: 'webhook.redeliver',
    setUp: createFailure,
    request: ({ admin }, { id, delivery }) =>
      admin.post(`${WEBHOOKS}/${id}/deliveries/${delivery}/redeliver`),
    row: ({ id, delivery }) => ({ object_id: String(id), before: null, after: { delivery_id: delivery } }),
    rejected: ({ admin }, { id, unknown }) => admin.post(`${WEBHOOKS}/${id}/deliveries/${unknown}/redeliver`),
  },
  'POST /api/admin/webhooks/:id/replay': {
    action: 'webhook.replay',
    setUp: createReplayable,
    request: ({ admin }, { id }) => admin.post(`${WEBHOOKS}/${id}/replay`, { since: '2026-01-01T00:00:00Z' }),
    row: ({ id }) => ({
      object_id: String(id),
      before: null,
      after: { since: '2026-01-01T00:00:00.000Z' },
    }),
    unchanged: ({ admin }, { id }) =>
      admin.post(`${WEBHOOKS}/${id}/replay`, { since: '2036-01-01T00:00:00Z' }),
    rejected: ({ admin }, { id }) => admin.post(`${WEBHOOKS}/${id}/replay`, {}),
  },
};

const key = { name: 'CRM', scopes: ['calls:read'], rate_per_minute: 60, expires_at: null };
const createKey = async ({ admin }: AuditFixture): Promise<CreatedIds> => ({
  id: requireData(await admin.post(KEYS, key)).id,
});

const KEY_ACTIONS: AuditedActions = {
  'POST /api/admin/keys': {
    action: 'key.create',
    request: ({ admin }) => admin.post(KEYS, key),
    row: (_given, { body: { data } }) => ({
      object_id: String(data.id),
      before: null,
      after: { ...key, prefix: data.prefix.slice(4) },
    }),
    rejected: ({ admin }) => admin.post(KEYS, { ...key, scopes: ['everything'] }),
  },
  'PUT /api/admin/keys/:id': {
    action: 'key.update',
    setUp: createKey,
    request: ({ admin }, { id }) => admin.put(`${KEYS}/${id}`, { name: 'ERP', scopes: ['calls:read'] }),
    row: ({ id }) => ({ object_id: String(id), before: { name: 'CRM' }, after: { name: 'ERP' } }),
    unchanged: ({ admin }, { id }) => admin.put(`${KEYS}/${id}`, { name: 'ERP' }),
    rejected: ({ admin }) => admin.put(`${KEYS}/8000000000`, { name: 'ERP' }),
  },
  'DELETE /api/admin/keys/:id': {
    action: 'key.delete',
    setUp: createKey,
    request: ({ admin }, { id }) => admin.delete(`${KEYS}/${id}`),
    row: ({ id }) => ({ object_id: String(id), before: expect.objectContaining(key), after: null }),
    rejected: ({ admin }, { id }) => admin.delete(`${KEYS}/${id}`),
  },
};

const ANNOUNCEMENTS = '/api/admin/announcements';

/** An announcement to two users. */
async function createAnnouncement({ test, admin }: AuditFixture): Promise<CreatedIds> {
  const user_ids = newUserIds(2);
  for (const id of user_ids) await createUsers(test.api, id);
  const text = { user_ids, type: 'system', title: 'Water', content: 'Off until noon' };
  const sent = requireData(await admin.post('/api/admin/notifications', text));
  return { id: (sent as unknown as { announcement_id: number }).announcement_id };
}

const CONVERSATIONS = '/api/admin/conversations';

/** A group of two users with one message. */
async function createGroupWithMessage({ test }: AuditFixture): Promise<CreatedIds> {
  const [one = 0, two = 0] = newUserIds(2);
  const [owner] = (await createUsers(test.api, one, two)) as [ApiClient];
  const body = { type: 'group', name: 'Choir', member_ids: [two] };
  const { id } = requireData(await owner.post('/api/messages/conversations', body));
  const message = { type: 'text', content: 'hello' };
  requireData(await owner.post(`/api/messages/conversations/${id}/messages`, message));
  return { id };
}

/** A push target of a new user. */
async function createPushTarget({ test }: AuditFixture): Promise<CreatedIds> {
  const [userId = 0] = newUserIds(1);
  const terminal = { kind: 'gateway', terminal_id: 'phone', token: 'planted-token', provider: 'huawei' };
  const user = await test.api.as({ id: userId });
  return { id: requireData(await user.post('/api/push/targets', terminal)).id };
}

/** Audited actions on webhooks, API keys, push targets, calls, notifications and announcements, by route. */
export const OTHER_ACTIONS: AuditedActions = {
  ...WEBHOOK_ACTIONS,
  ...KEY_ACTIONS,
  'DELETE /api/admin/push/targets/:id': {
    action: 'push_target.delete',
    setUp: createPushTarget,
    request: ({ admin }, { id }) => admin.delete(`/api/admin/push/targets/${id}`),
    row: ({ id }) => ({
      object_id: String(id),
      before: { user_id: expect.any(Number), kind: 'gateway', terminal_id: 'phone' },
      after: null,
    }),
    rejected: ({ admin }) => admin.delete('/api/admin/push/targets/8000000000'),
  },
  'POST /api/admin/push/targets/:id/test': {
    action: 'push_target.test',
    setUp: createPushTarget,
    request: ({ admin }, { id }) => admin.post(`/api/admin/push/targets/${id}/test`),
    row: ({ id }) => ({ object_id: String(id), before: null, after: { sent: true } }),
    rejected: ({ admin }) => admin.post('/api/admin/push/targets/8000000000/test'),
  },
  'POST /api/admin/calls/:callId/end': {
    action: 'call.end',
    setUp: async ({ test }) => ({ id: (await createCall(test.api, 'accepted')).id }),
    request: ({ admin }, { id }) => admin.post(`/api/admin/calls/${id}/end`, { reason: 'fire' }),
    row: ({ id }) => ({
      object_id: String(id),
      before: { status: 'accepted', end_reason: null, ended_at: null },
      after: { status: 'ended', end_reason: 'fire', ended_at: '2026-01-31T08:00:00.000Z' },
    }),
    unchanged: ({ admin }, { id }) => admin.post(`/api/admin/calls/${id}/end`, { reason: 'again' }),
    rejected: ({ admin }) => admin.post('/api/admin/calls/8000000000/end', {}),
  },
  'POST /api/admin/notifications': {
    action: 'notification.send',
    setUp: async ({ test }) => {
      const [one = 0] = newUserIds(1);
      await createUsers(test.api, one);
      return { one };
    },
    request: ({ admin, unique }, { one }) =>
      admin.post('/api/admin/notifications', {
        user_ids: [one],
        type: 'system',
        title: 'Water',
        content: 'w'.repeat(600),
        data: { building: 1, access_token: 'planted-token' },
        dedupe_key: unique,
      }),
    row: ({ one }) => ({
      object_id: null,
      before: null,
      after: {
        audience: 'users',
        user_ids: [one],
        type: 'system',
        title: 'Water',
        content: `${'w'.repeat(499)}…`,
        data: { building: 1, access_token: '***' },
        created: 1,
      },
    }),
    unchanged: ({ admin, unique }, { one }) =>
      admin.post('/api/admin/notifications', {
        user_ids: [one],
        type: 'system',
        title: 'Water',
        content: 'again',
        dedupe_key: unique,
      }),
    rejected: ({ admin }) =>
      admin.post('/api/admin/notifications', { user_ids: [8e15], type: 'x', title: 'x', content: 'x' }),
  },
  'POST /api/admin/conversations/:id/inspections': {
    action: 'conversation.inspect',
    setUp: createGroupWithMessage,
    request: ({ admin }, { id }) =>
      admin.post(`${CONVERSATIONS}/${id}/inspections`, { reason: 'Complaint 4711' }),
    row: ({ id }) => ({
      object_id: String(id),
      before: null,
      after: { reason: 'Complaint 4711', messages: 1 },
    }),
    rejected: ({ admin }, { id }) => admin.post(`${CONVERSATIONS}/${id}/inspections`, { reason: 'x' }),
  },
  'DELETE /api/admin/conversations/:id': {
    action: 'conversation.delete',
    setUp: createGroupWithMessage,
    request: ({ admin }, { id }) => admin.delete(`${CONVERSATIONS}/${id}`),
    row: ({ id }) => ({ object_id: String(id), before: { name: 'Choir', member_count: 2 }, after: null }),
    rejected: ({ admin }, { id }) => admin.delete(`${CONVERSATIONS}/${id}`),
  },
  'POST /api/admin/announcements/:id/recall': {
    action: 'announcement.recall',
    setUp: createAnnouncement,
    request: ({ admin }, { id }) => admin.post(`${ANNOUNCEMENTS}/${id}/recall`),
    row: ({ id }) => ({
      object_id: String(id),
      before: { status: 'sent' },
      after: { status: 'recalled' },
    }),
    unchanged: ({ admin }, { id }) => admin.post(`${ANNOUNCEMENTS}/${id}/recall`),
    rejected: ({ admin }) => admin.post(`${ANNOUNCEMENTS}/8000000000/recall`),
  },
};
