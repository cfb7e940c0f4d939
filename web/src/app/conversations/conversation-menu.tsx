import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ConversationResponse, ConversationSettingsRequest } from '@callboard/client';
import { callboard } from '../../shared/callboard';
import { ErrorMessage } from '../../shared/error-message';
import { Icon } from '../icons';
import { Dialog } from '../parts/dialog';
import { Menu, type MenuAction } from '../parts/menu';
import { useServiceMutation } from '../../shared/use-service-mutation';
import { MuteDialog } from './mute-dialog';

interface Props {
  conversation: ConversationResponse;
  /** Further actions, appended to the menu. */
  more?: () => MenuAction[];
}

/** Menu of the user's settings of a conversation: pin, mute, hide. A change is shown when its event arrives. */
export function ConversationMenu({ conversation, more }: Props) {
  const { t } = useTranslation('client');
  const { id, name, pinned, muted, unread_count: unread } = conversation;
  const [isMuting, setMuting] = useState(false);
  const settings = useServiceMutation(
    (body: ConversationSettingsRequest) => callboard.conversations.changeSettings({ path: { id }, body }),
    { isSerial: true },
  );
  const read = useServiceMutation(() => callboard.conversations.markRead({ path: { id }, body: {} }));
  const problem = settings.error ?? read.error;

  const change = (label: string, body: ConversationSettingsRequest): MenuAction => ({
    label,
    act: () => void settings.run(body),
  });
  const actions = (): MenuAction[] => [
    pinned
      ? change(t('conversations.unpin'), { pinned: false })
      : change(t('conversations.pin'), { pinned: true }),
    muted
      ? change(t('conversations.unmute'), { muted: false })
      : { label: t('chat.muteFor'), act: () => setMuting(true) },
    ...(unread > 0 ? [{ label: t('conversations.markRead'), act: () => void read.run() }] : []),
    change(t('conversations.hide'), { hidden: true }),
    ...(more?.() ?? []),
  ];

  return (
    <>
      <Menu
        label={t('conversations.actions', { name })}
        button={<Icon name="more" />}
        actions={actions}
        className="conversation-menu"
      />
      {isMuting && <MuteDialog conversation={conversation} onClose={() => setMuting(false)} />}
      {problem !== undefined && (
        <Dialog
          title={t('chat.notDone')}
          onClose={() => {
            settings.reset();
            read.reset();
          }}
        >
          <ErrorMessage error={problem} />
        </Dialog>
      )}
    </>
  );
}
