import { useTranslation } from 'react-i18next';
import type { MemberResponse, PresenceItemResponse } from '@callboard/client';
import { useLocation } from 'wouter';
import { Picture } from '../../../shared/picture';
import { isKnownAsBlocked, useIsBlocked } from '../../contacts/blocks';
import { Icon } from '../../icons';
import { Menu } from '../../parts/menu';
import { PresenceDot } from '../../parts/presence';

interface Props {
  member: MemberResponse;
  isSelf: boolean;
  presence: PresenceItemResponse | undefined;
  /** Blocks the member, or ends the block. */
  onBlock: (member: MemberResponse, isBlocked: boolean) => void;
  /** Undefined if the user may not remove the member. */
  onRemove?: (member: MemberResponse) => void;
  onHandOver?: (member: MemberResponse) => void;
}

/** A group member with the actions that the user may take. */
export function MemberRow({ member, isSelf, presence, onBlock, onRemove, onHandOver }: Props) {
  const { t } = useTranslation('client');
  const [, go] = useLocation();
  const name = member.name ?? `#${member.user_id}`;
  const blockLabel = <BlockLabel userId={member.user_id} />;
  return (
    <li>
      <span className="with-presence">
        <Picture name={name} url={member.avatar} id={member.user_id} />
        <PresenceDot presence={presence} />
      </span>
      <span className="grow">
        {name}
        {isSelf && <span className="hint"> ({t('conversations.self')})</span>}
        {member.role === 'owner' && <span className="role">{t('conversations.owner')}</span>}
      </span>
      {!isSelf && (
        <Menu
          label={t('conversations.memberActions', { name })}
          button={<Icon name="more" />}
          actions={() => [
            { label: t('contacts.profile'), act: () => go(`/contacts?person=${member.user_id}`) },
            ...(onHandOver === undefined
              ? []
              : [{ label: t('conversations.makeOwner'), act: () => onHandOver(member) }]),
            {
              label: blockLabel,
              act: () => onBlock(member, isKnownAsBlocked(member.user_id)),
            },
            ...(onRemove === undefined
              ? []
              : [{ label: t('conversations.remove'), act: () => onRemove(member), isDangerous: true }]),
          ]}
        />
      )}
    </li>
  );
}

/** Label that changes when the block is known, which is fetched when the menu opens. */
function BlockLabel({ userId }: { userId: number }) {
  const { t } = useTranslation('client');
  return useIsBlocked(userId) ? (
    t('contacts.unblock')
  ) : (
    <span className="dangerous">{t('contacts.block')}</span>
  );
}
