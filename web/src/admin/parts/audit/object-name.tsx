import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { AuditEntryResponse } from '@callboard/client';
import { oneOf } from '../filters/one-of';
import { OBJECT_TYPES, type ObjectType } from './names';
import { useObjectName } from './object-names';

/** Where an object of each kind is shown. */
const SCREENS: Partial<Record<ObjectType, (id: string) => string>> = {
  user: (id) => `/users?user=${id}`,
  conversation: (id) => `/conversations?conversation=${id}`,
  device: (id) => `/devices?device=${id}`,
  device_group: (id) => `/groups?group=${id}`,
  call: (id) => `/calls?tab=history&call=${id}`,
  log_in: (id) => `/users?user=${id}`,
};

/** The name of an object, linked to its screen if it has one. */
export function ObjectName({ type, id }: { type: ObjectType; id: string }) {
  const name = useObjectName(type, id);
  const href = SCREENS[type]?.(id);
  return href === undefined ? <span>{name}</span> : <Link href={href}>{name}</Link>;
}

/** The object of an entry. Empty if there are several; the changes name them. */
export function ObjectOf({ entry }: { entry: AuditEntryResponse }): ReactNode {
  const { t } = useTranslation('panel');
  const { object_id: id, before, after } = entry;
  const type = oneOf(OBJECT_TYPES, entry.object_type);
  const owner = before?.user_id ?? after?.user_id;
  if (type === 'session' && typeof owner === 'number') return <ObjectName type="user" id={String(owner)} />;
  if (id === null) return null;
  if (type === undefined) return t('audit.numbered', { thing: entry.object_type, id });
  // For created, deleted or renamed objects the entry contains the name.
  const name = after?.name ?? before?.name ?? after?.title;
  if (typeof name === 'string' && type !== 'user' && type !== 'log_in') {
    const href = entry.action.endsWith('.delete') ? undefined : SCREENS[type]?.(id);
    return href === undefined ? <span>{name}</span> : <Link href={href}>{name}</Link>;
  }
  return <ObjectName type={type} id={id} />;
}
