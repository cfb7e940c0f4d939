import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../format';
import { Status } from '../parts/status';

/** Expiry of an API key, marked if it is in the past. */
export function KeyExpiry({ moment }: { moment: string | null }) {
  const { t } = useTranslation('panel');
  const format = useFormat();
  const [now] = useState(Date.now);
  if (moment === null) return t('keys.noExpiry');
  const isOver = Date.parse(moment) <= now;
  return isOver ? (
    <Status kind="error" label={t('keys.expired', { moment: format.dateTime(moment) })} />
  ) : (
    format.dateTime(moment)
  );
}
