import type { FileSumResponse, OverviewResponse, StorageResponse } from '@callboard/client';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { useFormat } from '../format';
import { Trend } from './trend';

interface Tile {
  label: string;
  value: number | null;
  total?: number;
  /** The value is a size in bytes, of so many files. */
  files?: number;
  href?: string;
  /** Values of the last days, oldest first, ending with today. */
  history?: number[];
}

/** Current numbers, those of today, and sizes of files. */
export function Tiles({ overview: { now, totals, storage, today, days } }: { overview: OverviewResponse }) {
  const { t } = useTranslation('panel');
  const present: Tile[] = [
    {
      label: t('overview.usersOnline'),
      value: now.users_online,
      total: totals.users,
      href: '/users?online=1',
    },
    {
      label: t('overview.devicesOnline'),
      value: now.devices_online,
      total: totals.devices,
      href: '/devices?online=1',
    },
    { label: t('overview.ringing'), value: now.calls_ringing, href: '/calls' },
    { label: t('overview.ongoing'), value: now.calls_ongoing, href: '/calls' },
    { label: t('overview.streams'), value: now.streams },
    { label: t('overview.groups'), value: totals.groups, href: '/groups' },
  ];
  const historyOf = (name: 'calls' | 'answered' | 'messages' | 'active_users' | 'new_users'): number[] =>
    days.map((day) => day[name]);
  const sinceMidnight: Tile[] = [
    {
      label: t('overview.calls'),
      value: today.calls,
      href: '/calls?tab=history',
      history: historyOf('calls'),
    },
    {
      label: t('overview.answered'),
      value: today.answered,
      total: today.calls,
      history: historyOf('answered'),
    },
    { label: t('overview.messages'), value: today.messages, history: historyOf('messages') },
    { label: t('overview.activeUsers'), value: today.active_users, history: historyOf('active_users') },
    { label: t('overview.newUsers'), value: today.new_users, history: historyOf('new_users') },
  ];
  return (
    <>
      <TileList title={t('overview.now')} tiles={present} />
      <TileList title={t('overview.today')} tiles={sinceMidnight} />
      {storage !== null && <TileList title={t('overview.storage.title')} tiles={tilesOf(storage, t)} />}
    </>
  );
}

const SUMS = [
  'total',
  'last_24_hours',
  'last_7_days',
  'last_30_days',
  'unsent',
  'incomplete',
  'deleting',
] as const;
const TYPES = ['image', 'audio', 'video', 'file'] as const;

const tilesOf = (storage: StorageResponse, t: TFunction<'panel'>): Tile[] => [
  ...SUMS.map((name) => toTile(t(`overview.storage.${name}`), storage[name])),
  ...TYPES.map((name) => toTile(t(`overview.storage.${name}`), storage.by_type[name])),
];

const toTile = (label: string, { files, bytes }: FileSumResponse): Tile => ({ label, value: bytes, files });

function TileList({ title, tiles }: { title: string; tiles: Tile[] }) {
  const { t } = useTranslation('panel');
  const format = useFormat();
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <ul className="tiles">
        {tiles.map(({ label, value, total, files, href, history }) => (
          <li key={label}>
            {href === undefined ? label : <Link href={href}>{label}</Link>}
            <div>
              <strong>
                {value === null
                  ? t('overview.presenceOff')
                  : files === undefined
                    ? format.number(value)
                    : format.size(value)}
              </strong>{' '}
              {files !== undefined && t('overview.storage.files', { total: format.number(files) })}
              {/* The total is counted a minute later and may be smaller: it is hidden then. */}
              {total !== undefined &&
                total >= (value ?? 0) &&
                t('overview.of', { total: format.number(total) })}
            </div>
            {history !== undefined && <Trend values={history} />}
          </li>
        ))}
      </ul>
    </section>
  );
}
