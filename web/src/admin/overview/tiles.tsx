import type { OverviewResponse } from '@callboard/client';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { useFormat } from '../format';

interface Tile {
  label: string;
  value: number | null;
  total?: number;
  href?: string;
}

/** Current numbers and those of today. */
export function Tiles({ overview: { now, totals, today } }: { overview: OverviewResponse }) {
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
  const sinceMidnight: Tile[] = [
    { label: t('overview.calls'), value: today.calls, href: '/calls?tab=history' },
    { label: t('overview.answered'), value: today.answered, total: today.calls },
    { label: t('overview.messages'), value: today.messages },
    { label: t('overview.activeUsers'), value: today.active_users },
    { label: t('overview.newUsers'), value: today.new_users },
  ];
  return (
    <>
      <TileList title={t('overview.now')} tiles={present} />
      <TileList title={t('overview.today')} tiles={sinceMidnight} />
    </>
  );
}

function TileList({ title, tiles }: { title: string; tiles: Tile[] }) {
  const { t } = useTranslation('panel');
  const format = useFormat();
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <ul className="tiles">
        {tiles.map(({ label, value, total, href }) => (
          <li key={label}>
            {href === undefined ? label : <Link href={href}>{label}</Link>}
            <div>
              <strong>{value === null ? t('overview.presenceOff') : format.number(value)}</strong>{' '}
              {/* The total is counted a minute later and may be smaller: it is hidden then. */}
              {total !== undefined &&
                total >= (value ?? 0) &&
                t('overview.of', { total: format.number(total) })}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
