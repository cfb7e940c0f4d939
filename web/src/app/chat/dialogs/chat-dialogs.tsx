import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { callboard } from '../../../shared/callboard';
import { SharedMedia } from '../../attachments/shared-media';
import { BlockDialog } from '../../contacts/block-dialog';
import { ForwardDialog } from '../../lazy-parts';
import { ConfirmDialog } from '../../parts/confirm-dialog';
import { LazyDialog } from '../../parts/lazy-dialog';
import { type ChatDialog, useOpenChat } from '../chat-context';
import { DateDialog } from './date-dialog';
import { ReactDialog } from './react-dialog';
import { ReactionsDialog } from './reactions-dialog';
import { ReadersDialog } from './readers-dialog';

interface Props {
  dialog: ChatDialog;
  onClose: () => void;
}

/** Renders the open dialog of a chat. */
export function ChatDialogs({ dialog, onClose }: Props) {
  const { t } = useTranslation('client');
  const { conversation, isBlocked } = useOpenChat();
  const [, go] = useLocation();
  switch (dialog.kind) {
    case 'media':
      return <SharedMedia onClose={onClose} />;
    case 'block':
      return conversation.peer_id === null ? null : (
        <BlockDialog
          userId={conversation.peer_id}
          name={conversation.name}
          isBlocked={isBlocked}
          onClose={onClose}
        />
      );
    case 'date':
      return <DateDialog date={dialog.date} onClose={onClose} />;
    case 'readers':
      return <ReadersDialog message={dialog.message} onClose={onClose} />;
    case 'reactions':
      return <ReactionsDialog message={dialog.message} onClose={onClose} />;
    case 'react':
      return <ReactDialog message={dialog.message} onClose={onClose} />;
    case 'forward':
      return (
        <LazyDialog>
          <ForwardDialog
            message={dialog.message}
            onClose={onClose}
            onSent={(id) => {
              onClose();
              if (id !== undefined) go(`/conversations/${id}`);
            }}
          />
        </LazyDialog>
      );
    case 'recall':
      return (
        <ConfirmDialog
          title={t('chat.recall')}
          text={t('chat.recallText')}
          confirm={t('chat.recall')}
          act={() => callboard.messages.recall({ path: { id: dialog.message.id } })}
          onClose={onClose}
        />
      );
    case 'delete':
      return (
        <ConfirmDialog
          title={t('chat.delete')}
          text={t('chat.deleteText')}
          confirm={t('chat.delete')}
          act={() => callboard.messages.delete({ path: { id: dialog.message.id } })}
          onClose={onClose}
        />
      );
    case 'clear':
      return (
        <ConfirmDialog
          title={t('chat.clear')}
          text={t('chat.clearText')}
          confirm={t('chat.clear')}
          act={() => callboard.messages.clearConversation({ path: { id: conversation.id } })}
          onClose={onClose}
        />
      );
    default:
      return dialog satisfies never;
  }
}
