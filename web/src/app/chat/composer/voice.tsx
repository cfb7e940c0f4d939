import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorBoundary } from '../../../shared/parts/error-boundary';
import { lazyPart } from '../../../shared/parts/lazy-part';
import { PartFailed } from '../../../shared/parts/part-failed';
import type { Recording } from '../voice/recorder';

const VoiceRecorder = lazyPart(async () => (await import('../voice/voice-recorder')).VoiceRecorder);

interface Props {
  onDone: (recording: Recording) => void;
  onClose: () => void;
}

/** The recorder of voice messages in place of the composer; it is loaded when it is first opened. */
export function Voice(props: Props) {
  const { t } = useTranslation('shared');
  return (
    <div className="composer">
      <ErrorBoundary renderFailed={(retry) => <PartFailed onRetry={retry} />}>
        <Suspense fallback={<output className="voice">{t('starting')}</output>}>
          <VoiceRecorder {...props} />
        </Suspense>
      </ErrorBoundary>
    </div>
  );
}
