import { useTranslation } from 'react-i18next';
import type { CallboardError, ErrorCode } from '@callboard/client';
import { useLanguage } from '../../../shared/i18n/i18n';

/** Error codes that have their own text and advice. */
const EXPLAINED = {
  needs_https: 'needs_https',
  media_refused: 'media_refused',
  media_missing: 'media_missing',
  media_busy: 'media_busy',
  media_failed: 'media_failed',
  41001: 'busy',
  41002: 'in_call',
  41003: 'unreachable',
} as const satisfies Partial<Record<ErrorCode, string>>;

const isExplained = (code: ErrorCode): code is keyof typeof EXPLAINED => code in EXPLAINED;

interface Props {
  error: CallboardError;
  /** Whether only the camera failed, so that the call continues without it. Default: false. */
  isCameraAlone?: boolean;
}

/** Shows why a call, the sound or the camera failed, with advice. */
export function MediaProblem({ error, isCameraAlone = false }: Props) {
  const { t } = useTranslation(['calling', 'shared']);
  const language = useLanguage();
  const code = isExplained(error.code) ? EXPLAINED[error.code] : undefined;
  const isDevice = code === 'media_refused' || code === 'media_missing' || code === 'media_busy';
  return (
    <div role="alert" className="problem">
      {code === undefined ? (
        <>
          <p>{error.text(language)}</p>
          {error.requestId !== undefined && (
            <p className="request">{t('shared:request', { id: error.requestId })}</p>
          )}
        </>
      ) : (
        <>
          <p>
            <strong>{isDevice && isCameraAlone ? t(`camera.${code}`) : t(`problems.${code}`)}</strong>
          </p>
          <p>{t(`advice.${code}`)}</p>
        </>
      )}
    </div>
  );
}
