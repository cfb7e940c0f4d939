import { useTranslation } from 'react-i18next';
import { Picture } from '../../../shared/picture';

interface Person {
  user_id: number;
  name: string | null;
  avatar: string | null;
  /** Text beside the name, such as a time or an emoji. */
  aside: string;
}

interface Props {
  /** Whether a loading error is shown above the list. */
  isFailed: boolean;
  people: readonly Person[] | undefined;
  /** Text for an empty list. */
  empty: string;
  /** Loads more people; undefined if all are loaded. */
  onMore: (() => void) | undefined;
}

/** List of people, each with a text beside the name. */
export function PeopleList({ isFailed, people, empty, onMore }: Props) {
  const { t } = useTranslation(['client', 'shared']);
  if (people === undefined) return isFailed ? null : <output>{t('shared:starting')}</output>;
  if (people.length === 0) return <p>{empty}</p>;
  return (
    <>
      <ul className="plain-list">
        {people.map(({ user_id: id, name, avatar, aside }) => (
          <li key={`${id} ${aside}`}>
            <Picture name={name ?? '#'} url={avatar} id={id} />
            <span className="grow">{name ?? `#${id}`}</span>
            <span>{aside}</span>
          </li>
        ))}
      </ul>
      {onMore !== undefined && (
        <button type="button" onClick={onMore}>
          {t('client:conversations.more')}
        </button>
      )}
    </>
  );
}
