import { useQuery } from '@tanstack/react-query';
import { Drawer, Flex, Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import { callboard } from '../../../shared/callboard';
import { toCallboardError } from '../../../shared/session';
import { useUrlState } from '../../../shared/url-state';
import { ErrorAlert } from '../../parts/error-alert';
import { isEnded } from '../call-labels';
import { CallFacts } from './call-facts';
import { CallPhases } from './call-phases';
import { CallTerminals } from './call-terminals';
import { CallTimeline } from './call-timeline';
import { EndCall } from './end-call';

const LIVE_MS = 2_000;
const NOT_FOUND = 404;

/** Everything about one call (`?call=ID`), including a call in progress. */
export function CallDrawer() {
  const { t } = useTranslation('panel');
  const url = useUrlState();
  const id = url.number('call');
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['calls', 'one', id],
    queryFn: ({ signal }) => callboard.calls.getDetails({ path: { callId: id ?? 0 }, signal }),
    enabled: id !== undefined,
    refetchInterval: ({ state }) =>
      state.data === undefined || isEnded(state.data.status) ? false : LIVE_MS,
  });
  const isGone = error !== null && toCallboardError(error).code === NOT_FOUND;
  return (
    <Drawer
      open={id !== undefined}
      size={640}
      title={id !== undefined && <h2>{t('calls.detail', { id })}</h2>}
      extra={data && !isEnded(data.status) && <EndCall id={data.call_id} />}
      onClose={() => url.set({ call: null })}
    >
      <Flex vertical gap="middle">
        <ErrorAlert
          error={error}
          advice={isGone ? t('calls.gone') : undefined}
          onRetry={isGone ? undefined : () => void refetch()}
        />
        {isPending && error === null && <Skeleton active title={false} />}
        {data && (
          <>
            <CallFacts call={data} />
            <CallPhases call={data} />
            <h3>{t('calls.terminals')}</h3>
            <CallTerminals call={data} />
            <h3>{t('calls.timeline')}</h3>
            <CallTimeline call={data} />
          </>
        )}
      </Flex>
    </Drawer>
  );
}
