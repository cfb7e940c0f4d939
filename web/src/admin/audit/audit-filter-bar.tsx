import { useTranslation } from 'react-i18next';
import type { AuditEntryResponse } from '@callboard/client';
import { useUrlState } from '../../shared/url-state';
import { AUDIT_ACTIONS, OBJECT_TYPES } from '../parts/audit/names';
import { ChoiceFilter } from '../parts/filters/choice-filter';
import { DayRange } from '../parts/filters/day-range';
import { FilterBar } from '../parts/filters/filter-bar';
import { oneOf } from '../parts/filters/one-of';
import type { ListView } from '../parts/tables/use-list-view';
import { ActorPicker } from './actor-picker';
import { ACTOR_TYPES, AUDIT_FILTERS } from './audit-query';
import { ObjectPicker } from './object-picker';

/** Filters the audit log by actor, action, object and time. */
export function AuditFilterBar({ view }: { view: ListView<AuditEntryResponse> }) {
  const { t } = useTranslation('panel');
  const url = useUrlState();
  const actorType = oneOf(ACTOR_TYPES, url.text('actor_type'));
  const objectType = oneOf(OBJECT_TYPES, url.text('object_type'));
  return (
    <FilterBar names={AUDIT_FILTERS} view={view}>
      <ChoiceFilter
        name="actor_type"
        label={t('audit.actorType')}
        resets={['actor_id']}
        options={ACTOR_TYPES.map((value) => ({ value, label: t(`audit.actorTypes.${value}`) }))}
      />
      {(actorType === 'user' || actorType === 'key') && <ActorPicker type={actorType} />}
      <ChoiceFilter
        name="action"
        label={t('audit.action')}
        options={AUDIT_ACTIONS.map((value) => ({ value, label: t(`audit.actions.${value}`) }))}
      />
      <ChoiceFilter
        name="object_type"
        label={t('audit.objectType')}
        resets={['object_id']}
        options={OBJECT_TYPES.map((value) => ({ value, label: t(`audit.objects.${value}`) }))}
      />
      {objectType !== undefined && <ObjectPicker type={objectType} />}
      <DayRange label={t('audit.when')} />
    </FilterBar>
  );
}
