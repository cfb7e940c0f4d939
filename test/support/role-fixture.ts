import type { ApiClient } from './api-client';
import { createCall, createUsers, newUserIds, type Stage } from './calls';
import { dataOf } from './messaging';

/**
 * Senders of requests. `user` owns the objects: placed the call, created the conversation, received the notification.
 */
export const ROLES = ['nobody', 'user', 'other', 'member', 'participant', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** Existing objects, with the users related and unrelated to them. */
export interface RoleFixture {
  /** The client of each role. */
  clients: Record<Role, ApiClient>;
  call: number;
  conversation: number;
  message: number;
  notification: number;
  /** Sent to `user` and `friend`. */
  announcement: number;
  group: number;
  /** The device of `user`. */
  device: number;
  /** A device group that contains the device. */
  deviceGroup: number;
  key: number;
  /** Owner of the objects. */
  user: number;
  member: number;
  /** An unrelated user, for use in request bodies. */
  outsider: number;
  /** An administrator, for use in request bodies. */
  admin: number;
}

/**
 * Creates a call at a stage, a group conversation with a message, a notification, a device in a device group, and an
 * empty group.
 */
export async function createFixture(api: ApiClient, stage: Stage): Promise<RoleFixture> {
  const {
    id: call,
    caller: user,
    callee: participant,
    stranger: other,
    callerId,
  } = await createCall(api, stage);
  const [member = 0, friend = 0, adminId = 0] = newUserIds(3);
  const [memberClient = api] = await createUsers(api, member, friend);
  const admin = await api.as({ id: adminId, role: 'admin' });

  const group = { type: 'group', name: 'Team', member_ids: [member] };
  const conversation: number = dataOf(await user.post('/api/messages/conversations', group)).id;
  const text = { type: 'text', content: 'hello' };
  const message: number = dataOf(
    await user.post(`/api/messages/conversations/${conversation}/messages`, text),
  ).id;
  const notice = { user_ids: [callerId], type: 'news', title: 'News', content: '…' };
  dataOf(await admin.post('/api/admin/notifications', notice));
  const door = { name: 'Door', user_id: callerId };
  const device: number = dataOf(await admin.post('/api/admin/devices', door)).id;
  const room = { name: 'Room', device_ids: [device] };
  const announcement = { ...notice, user_ids: [callerId, friend] };
  return {
    clients: { nobody: api, user, other, member: memberClient, participant, admin },
    call,
    conversation,
    message,
    notification: dataOf(await user.get('/api/notifications')).list[0].id,
    announcement: dataOf(await admin.post('/api/admin/notifications', announcement)).announcement_id,
    group: dataOf(await admin.post('/api/admin/device-groups', { name: 'Floor' })).id,
    device,
    deviceGroup: dataOf(await admin.post('/api/admin/device-groups', room)).id,
    key: dataOf(await admin.post('/api/admin/keys', { name: 'Desk', scopes: ['users:read'] })).id,
    user: callerId,
    admin: adminId,
    member,
    outsider: friend,
  };
}
