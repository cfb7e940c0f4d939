import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../icons';
import { Dialog } from '../../parts/dialog';
import { PeoplePicker } from '../../picker/people-picker';
import type { Target } from '../../picker/use-targets';
import { useCalls } from '../call-context';
import { Preview } from '../window/preview';
import { usePreview } from '../window/use-preview';

/** Dialog that places a call: whom, with or without video, and a preview of the devices. */
export function NewCall({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['client', 'find', 'calling']);
  const { place, isBusy } = useCalls();
  const [chosen, setChosen] = useState<readonly Target[]>([]);
  const [mediaType, setMediaType] = useState<'audio' | 'video'>('video');
  const [person] = chosen;
  const preview = usePreview(person === undefined ? undefined : mediaType);
  return (
    <Dialog title={t('find:call.title')} onClose={onClose} className="new-call">
      <PeoplePicker
        label={t('find:call.who')}
        source="people"
        max={1}
        chosen={chosen}
        onChange={setChosen}
        isCompact={person !== undefined}
      />
      {person !== undefined && (
        <>
          <fieldset className="switch">
            <legend className="for-screen-readers">{t('client:calls.history.kind')}</legend>
            {(['video', 'audio'] as const).map((each) => (
              <button
                key={each}
                type="button"
                aria-pressed={mediaType === each}
                onClick={() => setMediaType(each)}
              >
                {t(`find:call.${each}`)}
              </button>
            ))}
          </fieldset>
          <Preview preview={preview} mediaType={mediaType} />
          <div className="buttons">
            <button
              type="button"
              className="primary with-icon"
              disabled={isBusy || preview.local === undefined}
              onClick={() => {
                void place(person.id, mediaType, preview.take());
                onClose();
              }}
            >
              <Icon name={mediaType === 'video' ? 'camera' : 'calls'} />
              {t('calling:preview.place', { name: person.name })}
            </button>
          </div>
        </>
      )}
    </Dialog>
  );
}
