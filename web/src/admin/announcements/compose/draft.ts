import type { SendNotificationRequest } from '@callboard/client';
import type { PickerOption } from '../../parts/remote-picker';

/** Values of the announcement form. */
export interface Draft {
  audience: 'all' | 'role' | 'picked';
  role: 'user' | 'admin';
  user_ids?: PickerOption[];
  type: string;
  title: string;
  content: string;
  dedupe_key?: string;
}

/** Maximum number of users and of characters that the service accepts (docs/notifications.md). */
export const LIMITS = { users: 500, type: 50, title: 100, content: 2_000, dedupe_key: 100 } as const;

export const NEW_DRAFT: Draft = {
  audience: 'all',
  role: 'user',
  type: 'announcement',
  title: '',
  content: '',
};

/** Text key of the label of a draft's audience. */
export const audienceLabel = ({ audience, role }: Draft) =>
  audience === 'role'
    ? (`announcements.audiences.role_${role}` as const)
    : (`announcements.audiences.${audience === 'all' ? 'all' : 'users'}` as const);

/** Converts a draft to the request that sends it. */
export function toRequest(draft: Draft): SendNotificationRequest {
  const { audience, role, user_ids = [], type, title, content, dedupe_key } = draft;
  const whom = {
    all: { broadcast: true },
    role: { role },
    picked: { user_ids: user_ids.map(({ value }) => value) },
  }[audience];
  return { ...whom, type, title, content, ...(dedupe_key && { dedupe_key }) };
}
