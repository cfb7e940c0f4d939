import { Empty } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { AuditEntryResponse } from '@callboard/client';
import { useFormat } from '../../format';
import { oneOf } from '../filters/one-of';
import { Changes } from './changes';
import { AUDIT_ACTIONS } from './names';
import { ObjectOf } from './object-name';
import './audit.css';

interface Props {
  label: string;
  entries: AuditEntryResponse[];
  isFiltered?: boolean;
}

/** Audit entries: actor, action, object, time, changes, IP address and request id. */
export function EntryList({ label, entries, isFiltered = false }: Props) {
  const { t } = useTranslation('panel');
  if (entries.length === 0)
    return (
      <Empty
        image={Empty.PRESENTED_IMAGE_SIMPLE}
        description={t(isFiltered ? 'parts.noneFound' : 'parts.none')}
      />
    );
  return (
    <ol className="audit-list" aria-label={label}>
      {entries.map((entry) => (
        <Entry key={entry.id} entry={entry} />
      ))}
    </ol>
  );
}

function Entry({ entry }: { entry: AuditEntryResponse }) {
  const { t } = useTranslation('panel');
  const format = useFormat();
  return (
    <li>
      <div className="audit-who">
        <time dateTime={entry.at}>{format.dateTime(entry.at)}</time>
        <Actor entry={entry} />
      </div>
      <div className="audit-what">
        <div className="audit-head">
          <strong>
            <ActionName entry={entry} />
          </strong>
          <ObjectOf entry={entry} />
        </div>
        <Changes entry={entry} />
      </div>
      {entry.request_id !== null && (
        <dl className="audit-trace">
          <div>
            <dt>{t('audit.address')}</dt>
            <dd>{entry.ip ?? '–'}</dd>
          </div>
          <div>
            <dt>{t('audit.request')}</dt>
            <dd>{entry.request_id}</dd>
          </div>
        </dl>
      )}
    </li>
  );
}

/** The action in words. */
export function ActionName({ entry }: { entry: AuditEntryResponse }) {
  const { t } = useTranslation('panel');
  const action = oneOf(AUDIT_ACTIONS, entry.action);
  return <>{action === undefined ? entry.action : t(`audit.actions.${action}`)}</>;
}

/** Shows the actor by the name at the time of the action. */
export function Actor({ entry: { actor_type, actor_id, actor_name } }: { entry: AuditEntryResponse }) {
  const { t } = useTranslation('panel');
  if (actor_type === 'system' || actor_id === null) return <span>{t('audit.service')}</span>;
  const name = actor_name ?? t('audit.numbered', { thing: t(`audit.objects.${actor_type}`), id: actor_id });
  if (actor_type === 'key') return <span>{t('audit.byKey', { name })}</span>;
  return <Link href={`/users?user=${actor_id}`}>{name}</Link>;
}
