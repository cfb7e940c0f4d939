import { useTranslation } from 'react-i18next';
import type { AuditEntryResponse } from '@callboard/client';
import { useFormat } from '../format';
import { Changes } from '../parts/audit/changes';
import { ActionName, Actor } from '../parts/audit/entry-list';
import { ObjectOf } from '../parts/audit/object-name';
import type { ListColumn } from '../parts/tables/list-column';

/** Columns of the audit log, in display order. */
export function useAuditColumns(): ListColumn<AuditEntryResponse>[] {
  const { t } = useTranslation('panel');
  const format = useFormat();
  return [
    {
      key: 'at',
      title: t('audit.when'),
      render: ({ at }) => <time dateTime={at}>{format.dateTimeSeconds(at)}</time>,
    },
    { key: 'actor', title: t('audit.actor'), render: (entry) => <Actor entry={entry} /> },
    { key: 'action', title: t('audit.action'), render: (entry) => <ActionName entry={entry} /> },
    { key: 'object', title: t('audit.object'), render: (entry) => <ObjectOf entry={entry} /> },
    {
      key: 'changes',
      title: t('audit.changes'),
      className: 'audit-cell',
      render: (entry) => <Changes entry={entry} />,
    },
    { key: 'ip', title: t('audit.address'), render: ({ ip }) => ip ?? '–' },
    {
      key: 'request_id',
      title: t('audit.request'),
      isOptional: true,
      render: ({ request_id }) => request_id ?? '–',
    },
  ];
}
