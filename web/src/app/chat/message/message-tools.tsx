import { useTranslation } from 'react-i18next';
import type { ClientConfigResponse, MessageResponse } from '@callboard/client';
import { useClientConfig } from '../../../shared/client-config';
import { Icon } from '../../icons';
import { Menu, type MenuAction } from '../../parts/menu';
import { useOpenChat } from '../chat-context';
import { serviceNow } from '../service-clock';
import { EMOJI } from './reactions';

const SECOND_MS = 1_000;

/** Menu of the actions on a message. */
export function MessageMenu({ message, tabIndex }: { message: MessageResponse; tabIndex: number }) {
  const { t } = useTranslation('client');
  const config = useClientConfig();
  const { conversation, isBlocked, reply, edit, react, openDialog } = useOpenChat();
  const { is_self: isSelf, is_recalled: isRecalled, is_deleted: isDeleted } = message;
  const isThere = !isRecalled && !isDeleted;

  const actions = (): MenuAction[] => {
    const may = allowed(message, config?.limits);
    const copy = (): void => void navigator.clipboard?.writeText(message.content);
    // `navigator.clipboard` does not exist over plain HTTP.
    const canCopy = isThere && message.type === 'text' && navigator.clipboard !== undefined;
    return [
      isThere && !isBlocked && { label: t('chat.reply'), act: () => reply(message) },
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
      !isDeleted && {
        label: t('chat.delete'),
        act: () => openDialog({ kind: 'delete', message }),
        isDangerous: true,
      },
    ].filter((action) => action !== false);
  };
  if (isDeleted) return null;
  const choices = EMOJI.map((emoji) => {
    const isOwn = message.reactions.some((one) => one.emoji === emoji && one.reacted);
    return { label: emoji, act: () => react(message, emoji, !isOwn) };
  });
  return (
    <Menu
      label={t('chat.messageActions')}
      button={<Icon name="more" size={20} />}
      actions={actions}
      choices={isThere && !isBlocked ? choices : undefined}
      className="message-menu"
      tabIndex={tabIndex}
    />
  );
}

/** Returns whether the sender may still edit and recall a message, by the limits of the service. */
function allowed(
  { is_self, is_recalled, is_deleted, is_forwarded, type, sent_at }: MessageResponse,
  limits: ClientConfigResponse['limits'] | undefined,
): { edit: boolean; recall: boolean } {
  if (!is_self || is_recalled || is_deleted || limits === undefined) return { edit: false, recall: false };
  const age = (serviceNow() - Date.parse(sent_at)) / SECOND_MS;
  return {
    edit: type === 'text' && !is_forwarded && age < limits.edit_seconds,
    recall: age < limits.recall_seconds,
  };
}
