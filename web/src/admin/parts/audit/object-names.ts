import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { AuditEntryResponse } from '@callboard/client';
import { callboard } from '../../../shared/callboard';
import type { ObjectType } from './names';

/** A renamed object keeps its old name here for at most this long. */
const STALE_MS = 60_000;
/** API keys have no search and no look-up by id, so a page of them is loaded. */
const KEYS = { page: 1, per_page: 100 };
/** Number of latest audit entries about a key that are searched for its name. */
const ROWS = 10;

/**
 * Returns the name of an object by its id in the audit log. Deleted objects have the name from the audit log; kinds
 * without names have the kind and the id.
 */
export function useObjectName(type: ObjectType, id: string): string {
  const { t } = useTranslation('panel');
  const { data } = useQuery({
    queryKey: [QUERY_KEYS[type], 'name', type, id],
    queryFn: async ({ signal }) => (await findName(type, Number(id), signal)) ?? null,
    staleTime: STALE_MS,
  });
  return data ?? t('audit.numbered', { thing: t(`audit.objects.${type}`), id });
}

/**
 * List that contains the names of each kind, as first part of the query key: names are refetched when the list changes.
 */
const QUERY_KEYS: Record<ObjectType, string> = {
  user: 'users',
  log_in: 'users',
  device: 'devices',
  device_group: 'groups',
  key: 'keys',
  webhook: 'webhooks',
  push_target: 'push-targets',
  announcement: 'announcements',
  call: 'calls',
  session: 'sessions',
  notification: 'notifications',
  conversation: 'conversations',
  message: 'messages',
  attachment: 'attachments',
};

async function findName(type: ObjectType, id: number, signal: AbortSignal): Promise<string | undefined> {
  const lookup = LOOKUPS[type];
  if (lookup === undefined || !Number.isSafeInteger(id)) return undefined;
  return (await findDeletedName(type, id, signal)) ?? lookup(id, signal);
}

type Lookup = (id: number, signal: AbortSignal) => Promise<string | undefined>;
/**
 * Kinds that can be deleted and looked up by id. The audit log is checked first, because the look-up of a deleted
 * object is a 404.
 */
const DELETABLE: ReadonlySet<ObjectType> = new Set(['device', 'device_group', 'webhook']);

const userName: Lookup = async (id, signal) => (await callboard.users.get({ path: { id }, signal })).name;

const LOOKUPS: Partial<Record<ObjectType, Lookup>> = {
  user: userName,
  log_in: userName,
  device: async (id, signal) => (await callboard.devices.get({ path: { id }, signal })).name,
  device_group: async (id, signal) => (await callboard.deviceGroups.get({ path: { id }, signal })).name,
  webhook: async (id, signal) => new URL((await callboard.webhooks.get({ path: { id }, signal })).url).host,
  announcement: async (id, signal) => (await callboard.announcements.get({ path: { id }, signal })).title,
  call: async (callId, signal) => {
    const { caller, callee } = await callboard.calls.getDetails({ path: { callId }, signal });
    return `${caller.name} → ${callee.name}`;
  },
  key: async (id, signal) => {
    const { items } = await callboard.keys.list({ query: KEYS, signal });
    return items.find((key) => key.id === id)?.name ?? findNameInLog('key', id, signal);
  },
};

/** Returns the name of an object if its latest audit entry is the deletion. */
async function findDeletedName(
  type: ObjectType,
  id: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!DELETABLE.has(type)) return undefined;
  const query = { object_type: type, object_id: String(id), limit: 1 };
  const [latest] = (await callboard.audit.list({ query, signal })).items;
  return latest?.action.endsWith('.delete') ? toName(latest) : undefined;
}

async function findNameInLog(type: ObjectType, id: number, signal: AbortSignal): Promise<string | undefined> {
  const query = { object_type: type, object_id: String(id), limit: ROWS };
  const { items } = await callboard.audit.list({ query, signal });
  return items.map(toName).find((name) => name !== undefined);
}

function toName({ before, after }: AuditEntryResponse): string | undefined {
  const name = after?.name ?? before?.name ?? before?.url;
  return typeof name === 'string' ? name : undefined;
}
