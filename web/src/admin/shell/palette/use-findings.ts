import { keepPreviousData, useQueries } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useDebounced } from '../../../shared/use-debounced';
import { idOf, type Pick, searchDevices, searchGroups, searchUsers } from '../../parts/remote-picker';
import { SCREENS } from '../../screens';

export interface Finding {
  /** Path below `/admin`. */
  href: string;
  label: string;
  /** Distinguishes results with the same name. */
  detail?: string;
}

export interface Findings {
  kinds: { kind: 'screens' | 'users' | 'devices' | 'groups'; findings: Finding[] }[];
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
export function useFindings(typed: string): Findings {
  const { t } = useTranslation('panel');
  const wanted = typed.trim();
  const keyword = useDebounced(wanted, 200);
  const answers = useQueries({
    queries: SOURCES.map(({ kind, search }) => ({
      queryKey: ['pick', kind, keyword],
      queryFn: ({ signal }: { signal: AbortSignal }) => search(keyword, signal),
      enabled: keyword !== '',
      placeholderData: keepPreviousData<Pick[]>,
    })),
  });
  const screens = SCREENS.map(({ name }) => ({ href: `/${name}`, label: t(`screens.${name}`) })).filter(
    ({ href, label }) => `${label}${href}`.toLowerCase().includes(wanted.toLowerCase()),
  );
  const remote: Findings['kinds'] = SOURCES.map(({ kind, href }, index) => ({
    kind,
    findings:
      wanted === ''
        ? []
        : (answers[index]?.data ?? [])
            .slice(0, MAX_RESULTS)
            .map(({ value, label }) => ({ href: href(value), label, detail: `#${value}` })),
  }));
  // A number may be a user id. It is not looked up, because browsers log the 404 of an unknown id.
  const userId = idOf(wanted);
  const users = remote.find(({ kind }) => kind === 'users');
  if (userId !== undefined && users !== undefined) {
    const href = `/users?user=${userId}`;
    if (!users.findings.some((finding) => finding.href === href))
      users.findings.unshift({ href, label: t('parts.unnamedUser', { id: userId }) });
  }
  return {
    kinds: [{ kind: 'screens' as const, findings: screens }, ...remote].filter(
      ({ findings }) => findings.length > 0,
    ),
    isSearching: wanted !== keyword || answers.some(({ isFetching }) => isFetching),
    error: answers.find(({ error }) => error !== null)?.error,
  };
}
