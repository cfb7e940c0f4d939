import { Drawer } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useUrlState } from '../../../shared/url-state';
import { ComposeForm } from './compose-form';

/** Form for a new announcement (`?compose=1`). The input is kept while the drawer is closed. */
export function ComposeDrawer() {
  const { t } = useTranslation('panel');
  const url = useUrlState();
  const [draft, setDraft] = useState(1);
  return (
    <Drawer
      open={url.text('compose') !== undefined}
      size={920}
      title={<h2>{t('announcements.compose')}</h2>}
      onClose={() => url.set({ compose: null })}
    >
      <ComposeForm
        key={draft}
        onReset={() => setDraft(draft + 1)}
        onSent={(id) => {
          setDraft(draft + 1);
          url.set({ compose: null, announcement: id });
        }}
      />
    </Drawer>
  );
}
