import { keepPreviousData, useQueries } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { includesText } from '../../../shared/includes-text';
import { useDebounced } from '../../../shared/use-debounced';
import {
  parseId,
  type PickerOption,
  searchDevices,
  searchGroups,
  searchUsers,
} from '../../parts/remote-picker';
import { SCREENS } from '../../screens';

export interface PaletteResult {
  /** Path below `/admin`. */
  href: string;
  label: string;
  /** Distinguishes results with the same name. */
  detail?: string;
}

export interface PaletteResults {
  groups: { kind: 'screens' | 'users' | 'devices' | 'groups'; results: PaletteResult[] }[];
  isSearching: boolean;
  error: unknown;
}

/** Searches of the service, and the screen that shows each result. */
const SOURCES = [
  { kind: 'users', search: searchUsers, href: (id: number) => `/users?user=${id}` },
  { kind: 'devices', search: searchDevices, href: (id: number) => `/devices?device=${id}` },
  { kind: 'groups', search: searchGroups, href: (id: number) => `/groups?group=${id}` },
] as const;

/** Maximum number of results per kind. */
const MAX_RESULTS = 6;

/** Finds screens by their title, and users, devices and groups through the service. */
export function usePaletteResults(typed: string): PaletteResults {
  const { t } = useTranslation('panel');
  const trimmed = typed.trim();
  const keyword = useDebounced(trimmed, 200);
  const queries = useQueries({
    queries: SOURCES.map(({ kind, search }) => ({
      queryKey: ['pick', kind, keyword],
      queryFn: ({ signal }: { signal: AbortSignal }) => search(keyword, signal),
      enabled: keyword !== '',
      placeholderData: keepPreviousData<PickerOption[]>,
    })),
  });
  const screens = SCREENS.map(({ name }) => ({ href: `/${name}`, label: t(`screens.${name}`) })).filter(
    ({ href, label }) => includesText(`${label}${href}`, trimmed),
  );
  const remote: PaletteResults['groups'] = SOURCES.map(({ kind, href }, index) => {
    const { data = [], isPlaceholderData = false } = queries[index] ?? {};
    // Enter must not open a result of the text before.
    const isSettled = keyword === trimmed && !isPlaceholderData;
    const found = trimmed === '' ? [] : data.filter(({ label }) => isSettled || includesText(label, trimmed));
    return {
      kind,
      results: found
        .slice(0, MAX_RESULTS)
        .map(({ value, label }) => ({ href: href(value), label, detail: `#${value}` })),
    };
  });
  // A number may be a user id. It is not looked up, because browsers log the 404 of an unknown id.
  const userId = parseId(trimmed);
  const users = remote.find(({ kind }) => kind === 'users');
  if (userId !== undefined && users !== undefined) {
    const href = `/users?user=${userId}`;
    if (!users.results.some((result) => result.href === href))
      users.results.unshift({ href, label: t('parts.unnamedUser', { id: userId }) });
  }
  return {
    groups: [{ kind: 'screens' as const, results: screens }, ...remote].filter(
      ({ results }) => results.length > 0,
    ),
    isSearching: trimmed !== keyword || queries.some(({ isFetching }) => isFetching),
    error: queries.find(({ error }) => error !== null)?.error,
  };
}
