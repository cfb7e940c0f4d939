import { useTranslation } from 'react-i18next';
import type { CallSession } from '@callboard/client/calls';

/** Network quality of both sides, as far as it is known. */
export function Quality({ session: { quality, peerQuality, peer } }: { session: CallSession }) {
  const { t } = useTranslation(['client', 'calling']);
  return (
    <span className="call-qualities">
      {quality !== null && (
        <span className={`call-quality ${quality}`}>
          {t('calling:ownQuality', { quality: t(`calling:quality.${quality}`) })}
        </span>
      )}
      {peerQuality !== null && (
        <span className={`call-quality ${peerQuality}`}>
          {t('calling:peerQuality', { name: peer.name, quality: t(`calling:quality.${peerQuality}`) })}
        </span>
      )}
    </span>
  );
}
