import { useTranslation } from 'react-i18next';
import type { MemberResponse, PresenceItemResponse } from '@callboard/client';
import { Picture } from '../../../shared/picture';
import { Icon } from '../../icons';
import { Menu } from '../../parts/menu';
import { PresenceDot } from '../../parts/presence';

interface Props {
  member: MemberResponse;
  isSelf: boolean;
  presence: PresenceItemResponse | undefined;
  /** Left out: one may not. */
  onRemove?: (member: MemberResponse) => void;
  onHandOver?: (member: MemberResponse) => void;
}

/** Somebody in a group. */
export function MemberRow({ member, isSelf, presence, onRemove, onHandOver }: Props) {
  const { t } = useTranslation('client');
  const name = member.name ?? `#${member.user_id}`;
  return (
    <li>
      <span className="with-presence">
        <Picture name={name} url={member.avatar} />
        <PresenceDot presence={presence} />
      </span>
      <span className="grow">
        {name}
        {isSelf && <span className="hint"> ({t('conversations.self')})</span>}
        {member.role === 'owner' && <span className="role">{t('conversations.owner')}</span>}
      </span>
      {!isSelf && onRemove !== undefined && onHandOver !== undefined && (
        <Menu
          label={t('conversations.memberActions', { name })}
          button={<Icon name="more" />}
          actions={() => [
            { label: t('conversations.makeOwner'), act: () => onHandOver(member) },
            { label: t('conversations.remove'), act: () => onRemove(member), isDangerous: true },
          ]}
        />
      )}
    </li>
  );
}
