import type { PushTargetResponse, PushTestResponse } from '@callboard/client';
import { Alert, Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { callboard } from '../../../../shared/callboard';
import { useToastMutation } from '../../../parts/use-toast-mutation';

/** Puts the response below the buttons. */
const BELOW = { order: 1, flexBasis: '100%' };

/** Button that sends a test push to a terminal, with the response of its provider. */
export function TestPush({ target: { id, terminal_id: terminal } }: { target: PushTargetResponse }) {
  const { t } = useTranslation('panel');
  const [result, setResult] = useState<PushTestResponse>();
  const test = useToastMutation(
    async () => {
      setResult(undefined);
      setResult(await callboard.push.testUserTarget({ path: { id } }));
    },
    { changes: ['audit'] },
  );
  return (
    <>
      <Button
        loading={test.isPending}
        aria-label={t('push.testTo', { terminal })}
        onClick={() => void test.run()}
      >
        {t('push.test')}
      </Button>
      <div aria-live="polite" style={result && BELOW}>
        {result !== undefined && (
          <Alert
            type={result.accepted ? 'success' : 'error'}
            showIcon
            title={result.accepted ? t('push.accepted') : t('push.refused', { reason: result.reason ?? '' })}
          />
        )}
      </div>
    </>
  );
}
