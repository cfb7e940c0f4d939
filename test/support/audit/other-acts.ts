import { aCall } from '../calls';
import { newUserIds, meet } from '../calls';
import { type AuditedActs, type Given, made, type Stage } from './audited-acts';

const WEBHOOKS = '/api/admin/webhooks';
const KEYS = '/api/admin/keys';
/** An address without a listener. Its path and query stand for a secret. */
const ADDRESS = 'http://127.0.0.1:9/hooks/planted-path?token=planted-token';
const SHOWN = 'http://127.0.0.1:9/***';
const STARS = { secret: '***' };

const anEndpoint = async ({ admin }: Stage): Promise<Given> => ({
  id: made(await admin.post(WEBHOOKS, { url: ADDRESS, event_types: ['call.ended'] })).id,
});

/** An endpoint with a failed delivery. */
async function aFailure(stage: Stage): Promise<Given> {
  const { id = 0 } = await anEndpoint(stage);
  made(await stage.admin.post(`${WEBHOOKS}/${id}/test`));
  const [delivery] = made(await stage.admin.get(`${WEBHOOKS}/${id}/deliveries`)).items as unknown as {
    id: number;
  }[];
  return { id, delivery: delivery?.id ?? 0, unknown: 8_000_000_000 };
}

const endpoint = {
  url: SHOWN,
  event_types: ['call.ended'],
  description: null,
  include_content: false,
  status: 1,
  disabled_reason: null,
};

const WEBHOOK_ACTS: AuditedActs = {
  'POST /api/admin/webhooks': {
    action: 'webhook.create',
    act: ({ admin }) => admin.post(WEBHOOKS, { url: ADDRESS, event_types: ['call.ended'] }),
    row: (_given, { body }) => ({ object_id: String(body.data.id), before: null, after: endpoint }),
    refused: ({ admin }) => admin.post(WEBHOOKS, { url: 'ftp://x', event_types: ['call.ended'] }),
  },
  'PUT /api/admin/webhooks/:id': {
    action: 'webhook.update',
    given: anEndpoint,
    act: ({ admin }, { id }) => admin.put(`${WEBHOOKS}/${id}`, { url: `${ADDRESS}2`, description: 'Bills' }),
    row: ({ id }) => ({
      object_id: String(id),
      before: { url: SHOWN, description: null },
      after: { url: SHOWN, description: 'Bills' },
    }),
    nothing: ({ admin }, { id }) => admin.put(`${WEBHOOKS}/${id}`, { description: 'Bills', status: 1 }),
    refused: ({ admin }, { id }) => admin.put(`${WEBHOOKS}/${id}`, { event_types: ['nothing'] }),
  },
  'DELETE /api/admin/webhooks/:id': {
    action: 'webhook.delete',
    given: anEndpoint,
    act: ({ admin }, { id }) => admin.delete(`${WEBHOOKS}/${id}`),
    row: ({ id }) => ({ object_id: String(id), before: endpoint, after: null }),
    refused: ({ admin }, { id }) => admin.delete(`${WEBHOOKS}/${id}`),
  },
  'POST /api/admin/webhooks/:id/secret': {
    action: 'webhook.rotate',
    given: anEndpoint,
    act: ({ admin }, { id }) => admin.post(`${WEBHOOKS}/${id}/secret`),
    row: ({ id }) => ({ object_id: String(id), before: STARS, after: STARS }),
    refused: ({ admin }) => admin.post(`${WEBHOOKS}/8000000000/secret`),
  },
  'POST /api/admin/webhooks/:id/test': {
    action: 'webhook.test',
    given: aFailure,
    act: ({ admin }, { id }) => admin.post(`${WEBHOOKS}/${id}/test`),
    row: ({ id, delivery = 0 }) => ({
      object_id: String(id),
      before: null,
      after: { delivery_id: delivery + 1 },
    }),
    refused: ({ admin }) => admin.post(`${WEBHOOKS}/8000000000/test`),
  },
  'POST /api/admin/webhooks/:id/deliveries/:deliveryId/redeliver': {
    action: 'webhook.redeliver',
    given: aFailure,
    act: ({ admin }, { id, delivery }) => admin.post(`${WEBHOOKS}/${id}/deliveries/${delivery}/redeliver`),
    row: ({ id, delivery }) => ({ object_id: String(id), before: null, after: { delivery_id: delivery } }),
    refused: ({ admin }, { id, unknown }) => admin.post(`${WEBHOOKS}/${id}/deliveries/${unknown}/redeliver`),
  },
  'POST /api/admin/webhooks/:id/replay': {
    action: 'webhook.replay',
    given: aFailure,
    act: ({ admin }, { id }) => admin.post(`${WEBHOOKS}/${id}/replay`, { since: '2026-01-01T00:00:00Z' }),
    row: ({ id }) => ({
      object_id: String(id),
      before: null,
      after: { since: '2026-01-01T00:00:00.000Z' },
    }),
    nothing: ({ admin }, { id }) => admin.post(`${WEBHOOKS}/${id}/replay`, { since: '2036-01-01T00:00:00Z' }),
    refused: ({ admin }, { id }) => admin.post(`${WEBHOOKS}/${id}/replay`, {}),
  },
};

const key = { name: 'CRM', scopes: ['calls:read'], rate_per_minute: 60, expires_at: null };
const aKey = async ({ admin }: Stage): Promise<Given> => ({ id: made(await admin.post(KEYS, key)).id });

const KEY_ACTS: AuditedActs = {
  'POST /api/admin/keys': {
    action: 'key.create',
    act: ({ admin }) => admin.post(KEYS, key),
    row: (_given, { body: { data } }) => ({
      object_id: String(data.id),
      before: null,
      after: { ...key, prefix: data.prefix.slice(4) },
    }),
    refused: ({ admin }) => admin.post(KEYS, { ...key, scopes: ['everything'] }),
  },
  'PUT /api/admin/keys/:id': {
    action: 'key.update',
    given: aKey,
    act: ({ admin }, { id }) => admin.put(`${KEYS}/${id}`, { name: 'ERP', scopes: ['calls:read'] }),
    row: ({ id }) => ({ object_id: String(id), before: { name: 'CRM' }, after: { name: 'ERP' } }),
    nothing: ({ admin }, { id }) => admin.put(`${KEYS}/${id}`, { name: 'ERP' }),
    refused: ({ admin }) => admin.put(`${KEYS}/8000000000`, { name: 'ERP' }),
  },
  'DELETE /api/admin/keys/:id': {
    action: 'key.delete',
    given: aKey,
    act: ({ admin }, { id }) => admin.delete(`${KEYS}/${id}`),
    row: ({ id }) => ({ object_id: String(id), before: expect.objectContaining(key), after: null }),
    refused: ({ admin }, { id }) => admin.delete(`${KEYS}/${id}`),
  },
};

const ANNOUNCEMENTS = '/api/admin/announcements';

/** An announcement to two users. */
async function anAnnouncement({ test, admin }: Stage): Promise<Given> {
  const user_ids = newUserIds(2);
  for (const id of user_ids) await meet(test.api, id);
  const text = { user_ids, type: 'system', title: 'Water', content: 'Off until noon' };
  const sent = made(await admin.post('/api/admin/notifications', text));
  return { id: (sent as unknown as { announcement_id: number }).announcement_id };
}

/** Audited actions on webhooks, API keys, calls, notifications and announcements, by route. */
export const OTHER_ACTS: AuditedActs = {
  ...WEBHOOK_ACTS,
  ...KEY_ACTS,
  'POST /api/admin/calls/:callId/end': {
    action: 'call.end',
    given: async ({ test }) => ({ id: (await aCall(test.api, 'accepted')).id }),
    act: ({ admin }, { id }) => admin.post(`/api/admin/calls/${id}/end`, { reason: 'fire' }),
    row: ({ id }) => ({
      object_id: String(id),
      before: { status: 'accepted', end_reason: null, ended_at: null },
      after: { status: 'ended', end_reason: 'fire', ended_at: '2026-01-31T08:00:00.000Z' },
    }),
    nothing: ({ admin }, { id }) => admin.post(`/api/admin/calls/${id}/end`, { reason: 'again' }),
    refused: ({ admin }) => admin.post('/api/admin/calls/8000000000/end', {}),
  },
  'POST /api/admin/notifications': {
    action: 'notification.send',
    given: async ({ test }) => {
      const [one = 0] = newUserIds(1);
      await meet(test.api, one);
      return { one };
    },
    act: ({ admin, unique }, { one }) =>
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
    nothing: ({ admin, unique }, { one }) =>
      admin.post('/api/admin/notifications', {
        user_ids: [one],
        type: 'system',
        title: 'Water',
        content: 'again',
        dedupe_key: unique,
      }),
    refused: ({ admin }) =>
      admin.post('/api/admin/notifications', { user_ids: [8e15], type: 'x', title: 'x', content: 'x' }),
  },
  'POST /api/admin/announcements/:id/recall': {
    action: 'announcement.recall',
    given: anAnnouncement,
    act: ({ admin }, { id }) => admin.post(`${ANNOUNCEMENTS}/${id}/recall`),
    row: ({ id }) => ({
      object_id: String(id),
      before: { status: 'sent' },
      after: { status: 'recalled' },
    }),
    nothing: ({ admin }, { id }) => admin.post(`${ANNOUNCEMENTS}/${id}/recall`),
    refused: ({ admin }) => admin.post(`${ANNOUNCEMENTS}/8000000000/recall`),
  },
};
