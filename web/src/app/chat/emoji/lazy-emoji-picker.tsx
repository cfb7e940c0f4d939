import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorBoundary } from '../../../shared/parts/error-boundary';
import { lazyPart } from '../../../shared/parts/lazy-part';
import { PartFailed } from '../../../shared/parts/part-failed';
import './emoji-picker.css';

const EmojiPicker = lazyPart(async () => (await import('./emoji-picker')).EmojiPicker);

/** The emoji picker, which is loaded when it is first opened. */
export function LazyEmojiPicker({ onChoose }: { onChoose: (emoji: string) => void }) {
  const { t } = useTranslation('shared');
  return (
    <ErrorBoundary renderFailed={(retry) => <PartFailed onRetry={retry} />}>
      <Suspense fallback={<output className="emoji-picker">{t('starting')}</output>}>
        <EmojiPicker onChoose={onChoose} />
      </Suspense>
    </ErrorBoundary>
  );
}
