import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ConversationResponse, ConversationSettingsRequest } from '@callboard/client';
import { callboard } from '../../shared/callboard';
import { ErrorMessage } from '../../shared/error-message';
import { serviceNow } from '../chat/service-clock';
import { Icon } from '../icons';
import { Dialog } from '../parts/dialog';
import { Menu, type MenuAction } from '../parts/menu';
import { useServiceMutation } from '../../shared/use-service-mutation';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const until = (ms: number): ConversationSettingsRequest => ({
  mute_until: new Date(serviceNow() + ms).toISOString(),
});

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
  const mute = async (body: ConversationSettingsRequest): Promise<void> => {
    if (await settings.run(body)) setMuting(false);
  };

  return (
    <>
      <Menu
        label={t('conversations.actions', { name })}
        button={<Icon name="more" />}
        actions={actions}
        className="conversation-menu"
      />
      {isMuting && (
        <Dialog title={t('conversations.mute')} onClose={() => setMuting(false)}>
          <div className="stacked">
            <button type="button" onClick={() => void mute(until(HOUR_MS))}>
              {t('conversations.muteHour')}
            </button>
            <button type="button" onClick={() => void mute(until(DAY_MS))}>
              {t('conversations.muteDay')}
            </button>
            <button type="button" onClick={() => void mute({ muted: true })}>
              {t('chat.muteForever')}
            </button>
          </div>
          {problem !== undefined && <ErrorMessage error={problem} />}
        </Dialog>
      )}
      {!isMuting && problem !== undefined && (
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
