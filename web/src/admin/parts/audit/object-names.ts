import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { AuditEntryResponse } from '@callboard/client';
import { callboard } from '../../../shared/callboard';
import type { ObjectType } from './names';

/** Who is renamed is called so here a minute later at the latest. */
const STALE_MS = 60_000;
/** A page of keys, which have no search and no look-up by id. */
const KEYS = { page: 1, per_page: 100 };
/** Among so many of the latest rows about a key one says how it was called. */
const ROWS = 10;

/**
 * How something is called whose id the audit log has; where nothing has a name, what it is and its number. What is gone is called as
 * the log has it.
 */
export function useObjectName(type: ObjectType, id: string): string {
  const { t } = useTranslation('panel');
  const { data } = useQuery({
    queryKey: [PART_OF[type], 'name', type, id],
    queryFn: async ({ signal }) => (await nameOf(type, Number(id), signal)) ?? null,
    staleTime: STALE_MS,
  });
  return data ?? t('audit.numbered', { thing: t(`audit.objects.${type}`), id });
}

/** Of which lists the names are: when these change, the names are asked for again. */
const PART_OF: Record<ObjectType, string> = {
  user: 'users',
  log_in: 'users',
  device: 'devices',
  device_group: 'groups',
  key: 'keys',
  webhook: 'webhooks',
  announcement: 'announcements',
  call: 'calls',
  session: 'sessions',
  notification: 'notifications',
  conversation: 'conversations',
  message: 'messages',
};

async function nameOf(type: ObjectType, id: number, signal: AbortSignal): Promise<string | undefined> {
  const lookUp = LOOK_UPS[type];
  if (lookUp === undefined || !Number.isSafeInteger(id)) return undefined;
  return (await nameOfGone(type, id, signal)) ?? lookUp(id, signal);
}

type LookUp = (id: number, signal: AbortSignal) => Promise<string | undefined>;
/** What can be deleted and looked up by its id: of what is gone the look-up would be a 404. */
const DELETABLE: ReadonlySet<ObjectType> = new Set(['device', 'device_group', 'webhook']);

const userName: LookUp = async (id, signal) => (await callboard.users.get({ path: { id }, signal })).name;

const LOOK_UPS: Partial<Record<ObjectType, LookUp>> = {
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
    return items.find((key) => key.id === id)?.name ?? nameInLog('key', id, signal);
  },
};

/** How something was called whose latest row says that it was deleted. */
async function nameOfGone(type: ObjectType, id: number, signal: AbortSignal): Promise<string | undefined> {
  if (!DELETABLE.has(type)) return undefined;
  const query = { object_type: type, object_id: String(id), limit: 1 };
  const [latest] = (await callboard.audit.list({ query, signal })).items;
  return latest?.action.endsWith('.delete') ? nameIn(latest) : undefined;
}

async function nameInLog(type: ObjectType, id: number, signal: AbortSignal): Promise<string | undefined> {
  const query = { object_type: type, object_id: String(id), limit: ROWS };
  const { items } = await callboard.audit.list({ query, signal });
  return items.map(nameIn).find((name) => name !== undefined);
}

function nameIn({ before, after }: AuditEntryResponse): string | undefined {
  const name = after?.name ?? before?.name ?? before?.url;
  return typeof name === 'string' ? name : undefined;
}
