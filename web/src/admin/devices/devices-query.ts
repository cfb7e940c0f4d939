import type { ListDevicesData } from '@callboard/client';
import type { UrlState } from '../../shared/url-state';
import { isReversed } from '../parts/filters/day-range';
import { oneOf } from '../parts/filters/one-of';

export type DevicesQuery = Omit<NonNullable<ListDevicesData['query']>, 'page' | 'per_page'>;

export const SORTED_BY = ['id', 'serial_no', 'status', 'created_at'] as const;
const SORTS = SORTED_BY.flatMap((field) => [field, `-${field}`] as const);

/** Names of the device list filters in the URL. */
export const DEVICE_FILTERS = ['keyword', 'group_id', 'ungrouped', 'status', 'online', 'from', 'to'] as const;

/** Reads the query of the device list from the URL. Invalid values are left out. */
export function devicesQueryOf(url: UrlState): DevicesQuery {
  const [from, to] = [url.text('from'), url.text('to')];
  return {
    keyword: url.text('keyword'),
    group_id: url.number('group_id'),
    ungrouped: url.text('ungrouped') === '1' ? 1 : undefined,
    status: zeroOrOne(url.text('status')),
    online: zeroOrOne(url.text('online')),
    sort: oneOf(SORTS, url.text('sort')),
    ...(!isReversed(from, to) && { from, to }),
  };
}

const zeroOrOne = (text: string | undefined): 0 | 1 | undefined =>
  ({ '0': 0, '1': 1 } as const)[text as '0' | '1'];

/** Query key under which the whole panel caches a device. */
export const deviceKey = (id: number) => ['devices', 'one', id] as const;

/** First parts of the query keys to invalidate after devices have changed. */
export const DEVICE_QUERIES = ['devices', 'groups', 'pick', 'audit'];
