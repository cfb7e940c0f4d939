import type { ApiResponse, ApiClient } from './api-client';
import { PASSWORD } from './accounts';

/** An operation that creates rows of one table under idempotency keys. */
export interface CreatingRoute {
  path: string;
  /** Returns a body that creates a different row for each name. */
  body: (name: string) => Record<string, unknown>;
  /** Returns the SQL that counts the rows with that name. */
  count: (name: string) => string;
}

/** Every operation that records its result in `creation_keys`. User 2 must exist. */
export const CREATING_ROUTES: Record<string, CreatingRoute> = {
  user: {
    path: '/api/admin/users',
    body: (name) => ({ account: name, password: PASSWORD, name }),
    count: (name) => `SELECT COUNT(*) AS n FROM users WHERE name = '${name}'`,
  },
  'device group': {
    path: '/api/admin/device-groups',
    body: (name) => ({ name }),
    count: (name) => `SELECT COUNT(*) AS n FROM device_groups WHERE name = '${name}'`,
  },
  device: {
    path: '/api/admin/devices',
    body: (name) => ({ name }),
    count: (name) => `SELECT COUNT(*) AS n FROM devices WHERE name = '${name}'`,
  },
  'device with a serial number': {
    path: '/api/admin/devices',
    body: (name) => ({ name, serial_no: name }),
    count: (name) => `SELECT COUNT(*) AS n FROM devices WHERE name = '${name}'`,
  },
  'group conversation': {
    path: '/api/messages/conversations',
    body: (name) => ({ type: 'group', name }),
    count: (name) => `SELECT COUNT(*) AS n FROM conversations WHERE name = '${name}'`,
  },
  notification: {
    path: '/api/admin/notifications',
    body: (name) => ({ user_ids: [2], type: 't', title: name, content: 'c' }),
    count: (name) => `SELECT COUNT(*) AS n FROM notifications WHERE title = '${name}'`,
  },
  broadcast: {
    path: '/api/admin/notifications',
    body: (name) => ({ broadcast: true, type: 't', title: name, content: 'c' }),
    count: (name) => `SELECT COUNT(*) AS n FROM announcements WHERE title = '${name}'`,
  },
  'announcement for a role': {
    path: '/api/admin/notifications',
    body: (name) => ({ role: 'user', type: 't', title: name, content: 'c' }),
    count: (name) => `SELECT COUNT(*) AS n FROM announcements WHERE title = '${name}'`,
  },
};

/** Sends a POST with an `Idempotency-Key`. */
export const postWithKey = (api: ApiClient, key: string, path: string, body: object): Promise<ApiResponse> =>
  api.with({ 'idempotency-key': key }).post(path, body);
