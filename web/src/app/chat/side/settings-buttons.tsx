import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ConversationSettingsRequest } from '@callboard/client';
import { callboard } from '../../../shared/callboard';
import { ErrorMessage } from '../../../shared/error-message';
import { useServiceMutation } from '../../../shared/use-service-mutation';
import { MuteDialog } from '../../conversations/mute-dialog';
import { Icon } from '../../icons';
import { useOpenChat } from '../chat-context';
import { useSide } from './use-side';

/** Buttons of the user's settings of the open chat: search in it, mute, pin. */
export function SettingsButtons() {
  const { t } = useTranslation('client');
  const { conversation, openDialog } = useOpenChat();
  const { id, muted, pinned } = conversation;
  const [isMuting, setMuting] = useState(false);
  const { open } = useSide();
  const settings = useServiceMutation(
    (body: ConversationSettingsRequest) => callboard.conversations.changeSettings({ path: { id }, body }),
    { isSerial: true },
  );
  return (
    <div className="side-actions">
      <button type="button" onClick={() => open('search')}>
        <Icon name="search" size={20} />
        {t('conversations.inChat')}
      </button>
      <button
        type="button"
        aria-pressed={muted}
        onClick={() => (muted ? void settings.run({ muted: false }) : setMuting(true))}
      >
        <Icon name="muted" size={20} />
        {t('conversations.mute')}
      </button>
      <button type="button" aria-pressed={pinned} onClick={() => void settings.run({ pinned: !pinned })}>
        <Icon name="pin" size={20} />
        {t('conversations.pin')}
      </button>
      <button type="button" onClick={() => openDialog({ kind: 'media' })}>
        <Icon name="file" size={20} />
        {t('attachments.shared')}
      </button>
      {settings.error !== undefined && <ErrorMessage error={settings.error} />}
      {isMuting && <MuteDialog conversation={conversation} onClose={() => setMuting(false)} />}
    </div>
  );
}
