import { useTranslation } from 'react-i18next';
import type { ConversationResponse, ConversationSettingsRequest } from '@callboard/client';
import { callboard } from '../../shared/callboard';
import { ErrorMessage } from '../../shared/error-message';
import { useServiceMutation } from '../../shared/use-service-mutation';
import { serviceNow } from '../chat/service-clock';
import { Dialog } from '../parts/dialog';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const until = (ms: number): ConversationSettingsRequest => ({
  mute_until: new Date(serviceNow() + ms).toISOString(),
});

interface Props {
  conversation: ConversationResponse;
  onClose: () => void;
}

/** Dialog that mutes a conversation for an hour, a day, or until it is unmuted. */
export function MuteDialog({ conversation: { id }, onClose }: Props) {
  const { t } = useTranslation('client');
  const { run, error } = useServiceMutation((body: ConversationSettingsRequest) =>
    callboard.conversations.changeSettings({ path: { id }, body }),
  );
  const mute = async (body: ConversationSettingsRequest): Promise<void> => {
    if (await run(body)) onClose();
  };
  return (
    <Dialog title={t('conversations.mute')} onClose={onClose}>
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
      {error !== undefined && <ErrorMessage error={error} />}
    </Dialog>
  );
}
