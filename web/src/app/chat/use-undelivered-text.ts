import { useTranslation } from 'react-i18next';
import type { CallboardError } from '@callboard/client';

const FORBIDDEN = 403;

/** Returns the text for a message that the service does not deliver, as in a blocked single chat; undefined for other errors. */
export function useUndeliveredText(error: CallboardError | undefined): string | undefined {
  const { t } = useTranslation('client');
  return error?.code === FORBIDDEN ? t('chat.undelivered') : undefined;
}
