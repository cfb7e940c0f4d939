import { useTranslation } from 'react-i18next';
import { useUrlState } from '../../shared/url-state';
import type { ObjectType } from '../parts/audit/names';
import { useObjectName } from '../parts/audit/object-names';
import { TextFilter } from '../parts/filters/text-filter';
import { DevicePicker, GroupPicker, type PickerOption, UserPicker } from '../parts/remote-picker';

const PICKERS = { user: UserPicker, log_in: UserPicker, device: DevicePicker, device_group: GroupPicker };
type Searched = keyof typeof PICKERS;

const MAX_ID = 64;
const isSearched = (type: ObjectType): type is Searched => type in PICKERS;

/** Filters by object: searched by name if the kind has a search, otherwise by id. */
export function ObjectPicker({ type }: { type: ObjectType }) {
  const { t } = useTranslation('panel');
  const id = useUrlState().number('object_id');
  if (!isSearched(type))
    return <TextFilter name="object_id" label={t('audit.objectId')} maxLength={MAX_ID} />;
  return id === undefined ? <Picker key={type} type={type} /> : <PickedObject type={type} id={id} />;
}

function PickedObject({ type, id }: { type: Searched; id: number }) {
  const label = useObjectName(type, String(id));
  return <Picker type={type} value={{ value: id, label }} />;
}

function Picker({ type, value }: { type: Searched; value?: PickerOption }) {
  const { t } = useTranslation('panel');
  const url = useUrlState();
  const KindPicker = PICKERS[type];
  return (
    <KindPicker
      aria-label={t(`audit.objects.${type}`)}
      style={{ width: '16rem', maxWidth: '100%' }}
      value={value}
      onChange={([picked]) => url.set({ object_id: picked?.value, cursor: null })}
    />
  );
}
