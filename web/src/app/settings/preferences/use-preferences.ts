import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CallboardError, ChangePreferencesRequest, PreferencesResponse } from '@callboard/client';
import { callboard } from '../../../shared/callboard';
import { queryClient } from '../../../shared/query-client';
import { useServiceMutation } from '../../../shared/use-service-mutation';
import { useEvents } from '../../use-events';
import { pickNewest } from './pick-newest';

const KEY = ['preferences'];

interface PreferencesState {
  /** With the changes that are not saved yet; undefined until they are fetched. */
  preferences: PreferencesResponse | undefined;
  /** Why they could not be fetched; null if there is no error. */
  loadError: Error | null;
  reload: () => void;
  change: (changes: ChangePreferencesRequest) => Promise<void>;
  /** Why the last change was not saved. */
  error: CallboardError | undefined;
}

const keepNewest = (preferences: PreferencesResponse): void =>
  void queryClient.setQueryData<PreferencesResponse>(KEY, (cached) => pickNewest(cached, preferences));

/** Returns preferences with a change, as the service applies it. */
function withChange(
  preferences: PreferencesResponse,
  { types: changedTypes = {}, ...fields }: ChangePreferencesRequest,
): PreferencesResponse {
  const types = { ...preferences.types };
  for (const [type, choice] of Object.entries(changedTypes)) {
    if (choice === null) delete types[type];
    else types[type] = { in_app: true, push: true, ...types[type], ...choice };
  }
  return { ...preferences, ...fields, types };
}

/**
 * The preferences of the user, live. Changes are shown immediately and saved one after the other, so that a change of one
 * part of the quiet hours is based on the one before, which may not be saved yet.
 */
export function usePreferences(): PreferencesState {
  const [pending, setPending] = useState<readonly ChangePreferencesRequest[]>([]);
  const query = useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => {
      const received = await callboard.preferences.get({ signal });
      return pickNewest(queryClient.getQueryData(KEY), received);
    },
  });
  useEvents((event) => void (event.type === 'preferences.updated' && keepNewest(event.preferences)));
  const changing = useServiceMutation(
    async (body: ChangePreferencesRequest) => keepNewest(await callboard.preferences.update({ body })),
    { isSerial: true },
  );
  const change = async (body: ChangePreferencesRequest): Promise<void> => {
    setPending((before) => [...before, body]);
    await changing.run(body);
    setPending((before) => before.filter((one) => one !== body));
  };
  return {
    preferences: query.data && pending.reduce(withChange, query.data),
    loadError: query.error,
    reload: () => void query.refetch(),
    change,
    error: changing.error,
  };
}
