import type { ListAuditData } from '@callboard/client';
import { listOfAll } from './list-of-all';

type AuditQuery = NonNullable<ListAuditData['query']>;
export type AuditFilters = Omit<AuditQuery, 'limit' | 'cursor'>;
export type AuditAction = NonNullable<AuditQuery['action']>;
export type ObjectType = NonNullable<AuditQuery['object_type']>;

/** Actions by kind of object, in the order of the filter. */
export const AUDIT_ACTIONS = listOfAll<AuditAction>()([
  'user.create',
  'user.update',
  'user.bulk_update',
  'user.import',
  'user.password',
  'user.issue_token',
  'session.delete',
  'log_in.success',
  'key.create',
  'key.update',
  'key.delete',
  'device_group.create',
  'device_group.update',
  'device_group.delete',
  'device_group.position',
  'device_group.move',
  'device.create',
  'device.update',
  'device.delete',
  'device.bulk_update',
  'device.move',
  'device.import',
  'notification.send',
  'announcement.send',
  'announcement.recall',
  'webhook.create',
  'webhook.update',
  'webhook.delete',
  'webhook.rotate',
  'webhook.test',
  'webhook.redeliver',
  'webhook.replay',
  'push_target.delete',
  'push_target.test',
  'call.end',
  'conversation.create',
  'conversation.delete',
  'conversation.inspect',
  'message.send',
  'message.recall',
  'attachment.create',
]);

export const OBJECT_TYPES = listOfAll<ObjectType>()([
  'user',
  'session',
  'log_in',
  'key',
  'device_group',
  'device',
  'notification',
  'announcement',
  'webhook',
  'push_target',
  'call',
  'conversation',
  'message',
  'attachment',
]);

/** Fields whose values are ids, with the kind of object. They are shown by name. */
export const ID_FIELDS: Readonly<Record<string, ObjectType>> = {
  user_id: 'user',
  user_ids: 'user',
  member_ids: 'user',
  on_behalf_of: 'user',
  device_id: 'device',
  device_ids: 'device',
  parent_id: 'device_group',
  group_id: 'device_group',
  group_ids: 'device_group',
  from_group_id: 'device_group',
  key_id: 'key',
};
