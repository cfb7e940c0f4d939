import type { ClientConfigResponse, MessageResponse } from '@callboard/client';
import { serviceNow } from '../service-clock';

const SECOND_MS = 1_000;

/** Returns whether the sender may still edit and recall a message, by the limits of the service. */
export function allowed(
  { is_self, is_recalled, is_deleted, is_forwarded, kind, type, sent_at }: MessageResponse,
  limits: ClientConfigResponse['limits'] | undefined,
): { edit: boolean; recall: boolean } {
  if (!is_self || is_recalled || is_deleted || kind === 'notice' || limits === undefined)
    return { edit: false, recall: false };
  const age = (serviceNow() - Date.parse(sent_at)) / SECOND_MS;
  return {
    edit: type === 'text' && !is_forwarded && age < limits.edit_seconds,
    recall: age < limits.recall_seconds,
  };
}
