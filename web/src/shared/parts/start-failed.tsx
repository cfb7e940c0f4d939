import { initialLanguage } from '../i18n/i18n';
import { START_FAILED } from '../i18n/start-failed';

/** States that the texts of the page did not load. It needs none of them. */
export function StartFailed({ onRetry }: { onRetry: () => void }) {
  const { text, retry } = START_FAILED[initialLanguage()];
  return (
    <div className="frame">
      <main>
        <div role="alert" className="part-failed">
          <p>{text}</p>
          <button type="button" onClick={onRetry}>
            {retry}
          </button>
        </div>
      </main>
    </div>
  );
}
