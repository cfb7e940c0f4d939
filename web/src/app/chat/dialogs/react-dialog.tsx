import { useTranslation } from 'react-i18next';
import type { MessageResponse } from '@callboard/client';
import { Dialog } from '../../parts/dialog';
import { useOpenChat } from '../chat-context';
import { LazyEmojiPicker } from '../emoji/lazy-emoji-picker';

/** Chooses any emoji as a reaction to a message. */
export function ReactDialog({ message, onClose }: { message: MessageResponse; onClose: () => void }) {
  const { t } = useTranslation('client');
  const { react } = useOpenChat();
  return (
    <Dialog title={t('chat.react')} onClose={onClose}>
      <LazyEmojiPicker
        onChoose={(emoji) => {
          onClose();
          react(message, emoji, true);
        }}
      />
    </Dialog>
  );
}
