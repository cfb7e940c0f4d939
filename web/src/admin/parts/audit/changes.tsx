import { useTranslation } from 'react-i18next';
import type { AuditEntryResponse } from '@callboard/client';
import { FieldValue } from './field-value';
import { useFieldName } from './field-name';

/** Number of fields shown before the list is expanded. */
const VISIBLE_FIELDS = 4;

interface Change {
  field: string;
  before: unknown;
  after: unknown;
}

/** The changed fields with their old and new values. */
export function Changes({ entry }: { entry: AuditEntryResponse }) {
  const { t } = useTranslation('panel');
  const changes = changesOf(entry);
  const rest = changes.slice(VISIBLE_FIELDS);
  return (
    <>
      <ChangeList changes={changes.slice(0, VISIBLE_FIELDS)} entry={entry} />
      {rest.length > 0 && (
        <details>
          <summary>{t('audit.moreFields', { total: rest.length })}</summary>
          <ChangeList changes={rest} entry={entry} />
        </details>
      )}
    </>
  );
}

function changesOf({ before, after }: AuditEntryResponse): Change[] {
  const fields = Object.keys({ ...before, ...after });
  return fields
    .map((field) => ({ field, before: before?.[field], after: after?.[field] }))
    .filter((change) => isNotEmpty(change.before) || isNotEmpty(change.after));
}

/** Whether a value is worth showing. Entries of new objects also contain empty fields, which are left out. */
const isNotEmpty = (value: unknown): boolean => value !== null && value !== undefined && value !== '';

function ChangeList({ changes, entry }: { changes: Change[]; entry: AuditEntryResponse }) {
  if (changes.length === 0) return null;
  return (
    <dl className="audit-changes">
      {changes.map((change) => (
        <ChangedField key={change.field} change={change} objectType={entry.object_type} />
      ))}
    </dl>
  );
}

function ChangedField({
  change: { field, before, after },
  objectType,
}: {
  change: Change;
  objectType: string;
}) {
  const { t } = useTranslation('panel');
  const name = useFieldName(field);
  const isSecret = before === SECRET && after === SECRET;
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {isSecret ? (
          t('audit.setAnew')
        ) : (
          <>
            {before !== undefined && (
              <del>
                <span className="for-screen-readers">{t('audit.before')} </span>
                <FieldValue field={field} value={before} objectType={objectType} />
              </del>
            )}
            {before !== undefined && after !== undefined && <span aria-hidden="true"> → </span>}
            {after !== undefined && (
              <ins>
                <span className="for-screen-readers"> {t('audit.after')} </span>
                <FieldValue field={field} value={after} objectType={objectType} />
              </ins>
            )}
          </>
        )}
      </dd>
    </div>
  );
}

/** The service's placeholder for secret values. */
const SECRET = '***';
