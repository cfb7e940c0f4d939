import { useTranslation } from 'react-i18next';
import type { AUDIT } from '../../i18n/en/audit';
import { listOfAll } from './list-of-all';

type Field = keyof (typeof AUDIT)['fields'];

const FIELDS = listOfAll<Field>()([
  'account',
  'affected',
  'audience',
  'avatar',
  'content',
  'conversation_id',
  'created',
  'created_at',
  'data',
  'delivery_id',
  'description',
  'device_ids',
  'disabled_reason',
  'end_reason',
  'ended',
  'ended_at',
  'event_types',
  'expires_at',
  'external_id',
  'failed',
  'from_group_id',
  'group_id',
  'include_content',
  'ip',
  'kind',
  'is_recalled',
  'last_used_at',
  'member_ids',
  'member_count',
  'message_type',
  'messages',
  'mime_type',
  'name',
  'on_behalf_of',
  'parent_id',
  'password',
  'prefix',
  'rate_per_minute',
  'renumbered',
  'role',
  'reason',
  'scopes',
  'secret',
  'serial_no',
  'sent',
  'since',
  'size',
  'sort_order',
  'status',
  'terminal_id',
  'title',
  'token',
  'type',
  'unchanged',
  'updated',
  'url',
  'user_agent',
  'user_id',
  'user_ids',
]);

/** Returns the label of a field of the audit log. Fields that the panel does not know are returned unchanged. */
export function useFieldName(field: string): string {
  const { t } = useTranslation('panel');
  const known = FIELDS.find((each) => each === field);
  return known === undefined ? field : t(`audit.fields.${known}`);
}
