import type { RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { MessageResponse } from '@callboard/client';
import { Icon } from '../../icons';
import { Menu, type MenuAction } from '../../parts/menu';
import { useOpenChat } from '../chat-context';
import { allowed } from './allowed';
import { EMOJI } from './reactions';

const ICON_PX = 18;

interface Props {
  /** Not deleted. */
  message: MessageResponse;
  /** Receives the button of the menu, which a long press opens. */
  menu: RefObject<HTMLButtonElement | null>;
  /** Whether there are buttons to react and reply besides the menu, which has these actions too. */
  hasShortcuts: boolean;
  tabIndex: number;
}

/** Buttons of a message: react, reply, and a menu of all actions. Visible while the pointer or the focus is on the message. */
export function MessageTools({ message, menu, hasShortcuts, tabIndex }: Props) {
  const { t } = useTranslation('client');
  const { conversation, isBlocked, limits, reply, edit, react, openDialog } = useOpenChat();
  const { is_self: isSelf, is_recalled: isRecalled } = message;
  const isThere = !isRecalled;
  const canAnswer = isThere && !isBlocked;

  const actions = (): MenuAction[] => {
    const may = allowed(message, limits);
    const copy = (): void => void navigator.clipboard?.writeText(message.content);
    // `navigator.clipboard` does not exist over plain HTTP.
    const canCopy = isThere && message.type === 'text' && navigator.clipboard !== undefined;
    return [
      canAnswer && { label: t('chat.reply'), act: () => reply(message) },
      canCopy && { label: t('chat.copy'), act: copy },
      isThere && { label: t('chat.forward'), act: () => openDialog({ kind: 'forward', message }) },
      may.edit && !isBlocked && { label: t('chat.edit'), act: () => edit(message) },
      isThere &&
        message.reactions.length > 0 && {
          label: t('chat.whoReacted'),
          act: () => openDialog({ kind: 'reactions', message }),
        },
      isSelf &&
        isThere &&
        conversation.is_group && {
          label: t('chat.whoRead'),
          act: () => openDialog({ kind: 'readers', message }),
        },
      may.recall && {
        label: t('chat.recall'),
        act: () => openDialog({ kind: 'recall', message }),
        isDangerous: true,
      },
      {
        label: t('chat.delete'),
        act: () => openDialog({ kind: 'delete', message }),
        isDangerous: true,
      },
    ].filter((action) => action !== false);
  };
  const choices: MenuAction[] = EMOJI.map((emoji) => {
    const isOwn = message.reactions.some((one) => one.emoji === emoji && one.reacted);
    return { label: emoji, act: () => react(message, emoji, !isOwn) };
  });
  choices.push({
    label: <Icon name="plus" size={ICON_PX} title={t('chat.emoji.more')} />,
    act: () => openDialog({ kind: 'react', message }),
  });
  return (
    <div className={canAnswer ? 'message-tools answerable' : 'message-tools'}>
      {canAnswer && hasShortcuts && (
        <>
          <Menu
            label={t('chat.react')}
            button={<Icon name="smile" size={ICON_PX} />}
            actions={() => []}
            choices={choices}
            tabIndex={tabIndex}
          />
          <button
            type="button"
            className="icon-button"
            aria-label={t('chat.reply')}
            tabIndex={tabIndex}
            onClick={() => reply(message)}
          >
            <Icon name="reply" size={ICON_PX} />
          </button>
        </>
      )}
      <Menu
        openerRef={menu}
        label={t('chat.messageActions')}
        button={<Icon name="more" size={ICON_PX} />}
        actions={actions}
        choices={canAnswer ? choices : undefined}
        tabIndex={tabIndex}
      />
    </div>
  );
}
