import { useTranslation } from 'react-i18next';
import { type PickerOption, RemotePicker } from '../../parts/remote-picker';
import { type GroupTree, placeName } from '../model/group-tree';
import { firstMatches } from '../model/search';

interface Props {
  id?: string;
  tree: GroupTree;
  isExcluded: (id: number) => boolean;
  value: PickerOption | null;
  onChange: (picked: PickerOption | null) => void;
}

/** Picks a group. Options show the full path, because names are not unique. */
export function ParentPicker({ id, tree, isExcluded, value, onChange }: Props) {
  const { t } = useTranslation('panel');
  return (
    <RemotePicker
      id={id}
      kind="places"
      placeholder={t('parts.pickGroup')}
      search={(keyword) =>
        Promise.resolve(
          firstMatches(tree, keyword, isExcluded).map((found) => ({
            value: found,
            label: placeName(tree, found),
          })),
        )
      }
      value={value}
      onChange={([picked]) => onChange(picked ?? null)}
      style={{ width: '100%' }}
    />
  );
}
