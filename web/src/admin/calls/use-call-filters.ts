import { useUrlState } from '../../shared/url-state';
import { CALL_STATUSES } from './call-labels';

/** Names of the filters of the call history in the URL. */
export const CALL_FILTERS = ['user', 'status', 'media', 'reason', 'from', 'to'] as const;

/** Filters of the call history, read from the URL. */
export function useCallFilters() {
  const url = useUrlState();
  const status = url.text('status');
  const media = url.text('media');
  const filters = {
    user_id: url.number('user'),
    status: CALL_STATUSES.find((each) => each === status),
    media_type: (['audio', 'video'] as const).find((each) => each === media),
    end_reason: url.text('reason'),
    from: url.text('from'),
    to: url.text('to'),
  };
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return { filters, isFiltered, set: url.set };
}
