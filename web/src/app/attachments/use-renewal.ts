import { useEffect, useEffectEvent, useState } from 'react';
import type { Attachment, MessageResponse } from '@callboard/client';
import { callboard } from '../../shared/callboard';

interface Renewal {
  /** The attachments of the message whose URLs were requested again. */
  original: readonly Attachment[];
  /** Attachments with new URLs; undefined until they are fetched. */
  attachments?: Attachment[];
  /** `failed`: the new URLs could not be fetched or loaded; requested again when the network returns. */
  state: 'pending' | 'renewed' | 'failed';
  /** Number of times that the media were loaded again. */
  attempt: number;
}

export interface RenewedAttachments {
  /** Attachments with new URLs; undefined: those of the message. */
  attachments: readonly Attachment[] | undefined;
  /** Changes when a medium has to be loaded again, even from the same URL. */
  attempt: number;
  /** Called when a medium does not load. */
  onFail: () => void;
}

/**
 * Fetches the URLs of a message's attachments again when one does not load, once: those of a page that is open for days expire.
 * Tries again when the network returns, and with other attachments of the message.
 */
export function useRenewal({ id, attachments: original }: MessageResponse): RenewedAttachments {
  const [latest, setLatest] = useState<Renewal>();
  const renewal = latest?.original === original ? latest : undefined;
  // Other attachments may have the same URLs. A medium that failed has to be loaded again, others continue.
  const isReset = renewal === undefined && latest?.state === 'failed';
  const attempt = (latest?.attempt ?? 0) + (isReset ? 1 : 0);

  const renew = (): void => {
    /** Ignores a response for attachments that the message no longer has. */
    const finish = (result: Pick<Renewal, 'attachments' | 'state'>): void =>
      setLatest((current) =>
        current?.original === original ? { ...current, ...result, attempt: attempt + 1 } : current,
      );
    setLatest({ ...renewal, original, attempt, state: 'pending' });
    callboard.attachments.ofMessage(id).then(
      (attachments) => finish({ attachments, state: 'renewed' }),
      () => finish({ state: 'failed' }),
    );
  };
  const onFail = (): void => {
    if (original.length === 0 || renewal?.state === 'pending' || renewal?.state === 'failed') return;
    if (renewal === undefined) renew();
    else setLatest({ ...renewal, state: 'failed' });
  };

  const hasFailed = renewal?.state === 'failed';
  const retry = useEffectEvent(renew);
  useEffect(() => {
    if (!hasFailed) return undefined;
    const onOnline = (): void => retry();
    window.addEventListener('online', onOnline);
    return () => window.removeEventListener('online', onOnline);
  }, [hasFailed]);

  return { attachments: renewal?.attachments, attempt, onFail };
}
