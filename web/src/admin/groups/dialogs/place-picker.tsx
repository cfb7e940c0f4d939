import { useTranslation } from 'react-i18next';
import { type Pick, RemotePicker } from '../../parts/remote-picker';
import { type GroupTree, placeName } from '../model/group-tree';
import { firstMatches } from '../model/search';

interface Props {
  id?: string;
  tree: GroupTree;
  isLeftOut: (id: number) => boolean;
  value: Pick | null;
  onChange: (picked: Pick | null) => void;
}

/** Picks a group. Options show the full path, because names are not unique. */
export function PlacePicker({ id, tree, isLeftOut, value, onChange }: Props) {
  const { t } = useTranslation('panel');
  return (
    <RemotePicker
      id={id}
      kind="places"
      placeholder={t('parts.pickGroup')}
      search={(keyword) =>
        Promise.resolve(
          firstMatches(tree, keyword, isLeftOut).map((found) => ({
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
