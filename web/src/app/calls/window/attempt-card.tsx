import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Picture } from '../../../shared/picture';
import { personQuery } from '../person-query';
import type { Attempt } from '../use-terminal';
import { CallFrame } from './call-frame';
import { MediaProblem } from './media-problem';

interface Props {
  attempt: Attempt;
  onRetry: (mediaType: 'audio' | 'video') => void;
  onClose: () => void;
}

/** Card of a call that does not ring yet: the browser asks for the devices, or the call could not be placed. */
export function AttemptCard({ attempt: { userId, mediaType, error }, onRetry, onClose }: Props) {
  const { t } = useTranslation(['client', 'shared', 'calling']);
  const { data: person } = useQuery(personQuery(userId));
  const title = person === undefined ? t('calls.placingSomebody') : t('calls.placing', { name: person.name });
  return (
    <CallFrame label={title} look="card" onEscape={onClose}>
      <Picture name={person?.name ?? '…'} url={person?.avatar ?? null} id={person?.id} />
      <h2>{title}</h2>
      {error === undefined ? (
        <output>{t(`calling:asking.${mediaType}`)}</output>
      ) : (
        <MediaProblem error={error} />
      )}
      <div className="call-buttons">
        {error !== undefined && (
          <button type="button" className="primary" onClick={() => onRetry(mediaType)}>
            {t('shared:retry')}
          </button>
        )}
        {error?.code === 'media_refused' && mediaType === 'video' && (
          <button type="button" onClick={() => onRetry('audio')}>
            {t('calls.withoutCamera')}
          </button>
        )}
        <button type="button" onClick={onClose}>
          {t(error === undefined ? 'calls.cancel' : 'calls.close')}
        </button>
      </div>
    </CallFrame>
  );
}
