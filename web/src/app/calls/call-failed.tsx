import { useTranslation } from 'react-i18next';
import { PartFailed } from '../../shared/parts/part-failed';
import { useServiceMutation } from '../../shared/use-service-mutation';
import type { Terminal } from './use-terminal';

/** Replaces a call window that failed to render: the call continues and can be ended. */
export function CallFailed({ terminal, onRetry }: { terminal: Terminal; onRetry: () => void }) {
  const { t } = useTranslation('client');
  const { session, isBusy, dropAttempt } = terminal;
  const end = useServiceMutation(async () => {
    dropAttempt();
    await session?.hangUp();
  });
  // Without a call in progress only the end note failed, which needs no replacement.
  if (!isBusy) return null;
  return (
    <div className="call-failed">
      <PartFailed onRetry={onRetry}>
        <button type="button" className="danger" onClick={() => void end.run()}>
          {t(session?.state === 'ringing' ? 'calls.decline' : 'calls.hangUp')}
        </button>
      </PartFailed>
    </div>
  );
}
