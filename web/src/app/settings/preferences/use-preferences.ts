import { useQuery } from '@tanstack/react-query';
import type { CallboardError, ChangePreferencesRequest, PreferencesResponse } from '@callboard/client';
import { callboard } from '../../../shared/callboard';
import { queryClient } from '../../../shared/query-client';
import { useServiceMutation } from '../../../shared/use-service-mutation';
import { useEvents } from '../../use-events';

const KEY = ['preferences'];

interface PreferencesState {
  /** Undefined until they are fetched. */
  preferences: PreferencesResponse | undefined;
  /** Why they could not be fetched; null if there is no error. */
  loadError: Error | null;
  reload: () => void;
  change: (changes: ChangePreferencesRequest) => void;
  /** Why the last change was not saved. */
  error: CallboardError | undefined;
}

/** Keeps the newer one: events and responses can arrive in any order. */
const keepNewest = (preferences: PreferencesResponse): void =>
  void queryClient.setQueryData<PreferencesResponse>(KEY, (before) =>
    before !== undefined && before.version > preferences.version ? before : preferences,
  );

/** The preferences of the user, live. Changes are saved immediately, one after the other. */
export function usePreferences(): PreferencesState {
  const query = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => callboard.preferences.get({ signal }),
  });
  useEvents((event) => void (event.type === 'preferences.updated' && keepNewest(event.preferences)));
  const changing = useServiceMutation(
    async (body: ChangePreferencesRequest) => keepNewest(await callboard.preferences.update({ body })),
    { isSerial: true },
  );
  return {
    preferences: query.data,
    loadError: query.error,
    reload: () => void query.refetch(),
    change: (changes) => void changing.run(changes),
    error: changing.error,
  };
}
