import { Drawer } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useUrlState } from '../../../shared/url-state';
import { ImportSteps } from './import-steps';

/** Imports devices from a file (`?import=1`). */
export function ImportDrawer() {
  const { t } = useTranslation('panel');
  const url = useUrlState();
  // The drawer cannot be closed during an import, so that its outcome is seen.
  const [isBusy, setBusy] = useState(false);
  return (
    <Drawer
      open={url.text('import') === '1'}
      size={760}
      destroyOnHidden
      title={t('devices.import.title')}
      closable={!isBusy}
      keyboard={!isBusy}
      mask={{ closable: !isBusy }}
      onClose={() => url.set({ import: null })}
    >
      <ImportSteps onBusy={setBusy} onClose={() => url.set({ import: null })} />
    </Drawer>
  );
}
