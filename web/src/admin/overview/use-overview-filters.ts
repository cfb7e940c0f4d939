import { useUrlState } from '../../shared/url-state';

export const PERIODS = [7, 30, 90, 365] as const;
const DEFAULT_PERIOD = 30;
export const MEDIA = ['audio', 'video'] as const;

/** Period, kind of call and presentation, stored in the URL. */
export function useOverviewFilters() {
  const url = useUrlState();
  const days = PERIODS.find((each) => each === url.number('days')) ?? DEFAULT_PERIOD;
  const media = MEDIA.find((each) => each === url.text('media'));
  const isTable = url.text('show') === 'table';
  return {
    days,
    media,
    isTable,
    setDays: (next: number) => url.set({ days: next === DEFAULT_PERIOD ? null : next }),
    setMedia: (next: string) => url.set({ media: next === 'all' ? null : next }),
    setTable: (next: boolean) => url.set({ show: next && 'table' }),
  };
}
