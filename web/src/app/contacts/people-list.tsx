import { Link, useSearch } from 'wouter';
import type { PersonResponse } from '@callboard/client';
import { Picture } from '../../shared/picture';
import { PresenceText, usePresence } from '../parts/presence';

interface Props {
  label: string;
  people: PersonResponse[];
  /** Id of the user whose profile is shown. */
  selectedId: number | undefined;
}

/** List of users with their presence, each a link to the profile. */
export function PeopleList({ label, people, selectedId }: Props) {
  const search = useSearch();
  const presence = usePresence(people.map(({ id }) => id));
  const addressOf = (id: number): string => {
    const params = new URLSearchParams(search);
    params.set('person', String(id));
    return `/contacts?${params}`;
  };
  if (people.length === 0) return null;
  return (
    <ul className="entries" aria-label={label}>
      {people.map(({ id, name, avatar }) => (
        <li key={id} className="entry">
          <Link href={addressOf(id)} aria-current={id === selectedId ? 'true' : undefined}>
            <Picture name={name} url={avatar} id={id} />
            <span className="entry-words">
              <strong>{name}</strong>
              <PresenceText presence={presence.get(id)} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
