import { useTranslation } from 'react-i18next';
import type { CallboardError } from '@callboard/client';

const FORBIDDEN = 403;

/** Returns the words for a message that the service does not pass on, as in a single chat with a block; undefined for other errors. */
export function useUndelivered(error: CallboardError | undefined): string | undefined {
  const { t } = useTranslation('client');
  return error?.code === FORBIDDEN ? t('chat.undelivered') : undefined;
}
