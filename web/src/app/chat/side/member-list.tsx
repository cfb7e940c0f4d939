import { useTranslation } from 'react-i18next';
import type { MemberResponse } from '@callboard/client';
import { useUser } from '../../../shared/sign-in/user-context';
import { Icon } from '../../icons';
import { usePresence } from '../../parts/presence';
import { Retry } from '../../parts/retry';
import { MAX_KEYWORD } from '../../picker/find-members';
import { MemberRow } from './member-row';
import type { Members } from './use-members';

/** A group with at least this many loaded members has a search field. */
const SEARCH_FROM = 8;

interface Props {
  members: Members;
  /** Undefined if the user may not add members. */
  onAdd?: () => void;
  onBlock: (member: MemberResponse, isBlocked: boolean) => void;
  onRemove?: (member: MemberResponse) => void;
  onHandOver?: (member: MemberResponse) => void;
}

/** Members of a group with their presence and actions, and a search in a group that is not small. */
export function MemberList({ members, onAdd, ...actions }: Props) {
  const { t } = useTranslation(['client', 'find']);
  const userId = useUser().id;
  const { shown, typed, isSearching } = members;
  const presence = usePresence(shown.map(({ user_id }) => user_id));
  return (
    <section>
      <div className="side-section">
        <h3>{t('client:conversations.members')}</h3>
        {onAdd !== undefined && (
          <button type="button" className="with-icon" onClick={onAdd}>
            <Icon name="plus" size={20} />
            {t('client:conversations.addMembers')}
          </button>
        )}
      </div>
      {(members.loaded.length >= SEARCH_FROM || typed !== '') && (
        <input
          type="search"
          className="member-search"
          value={typed}
          maxLength={MAX_KEYWORD}
          autoComplete="off"
          aria-label={t('find:searchMembers')}
          placeholder={t('find:searchMembers')}
          onChange={({ target }) => members.search(target.value)}
        />
      )}
      {members.error !== null && <Retry error={members.error} onRetry={members.retry} />}
      <output className="hint">
        {typed.trim() !== '' && !isSearching && shown.length === 0 && t('find:noMembers')}
      </output>
      <ul className="plain-list" aria-label={t('client:conversations.members')}>
        {shown.map((member) => (
          <MemberRow
            key={member.user_id}
            member={member}
            isSelf={member.user_id === userId}
            presence={presence.get(member.user_id)}
            {...actions}
          />
        ))}
      </ul>
      {members.hasMore && (
        <button type="button" disabled={members.isLoading} onClick={members.loadMore}>
          {t('client:conversations.more')}
        </button>
      )}
    </section>
  );
}
