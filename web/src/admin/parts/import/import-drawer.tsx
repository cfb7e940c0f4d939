import { Drawer } from 'antd';
import { type ReactNode, useState } from 'react';
import { useUrlState } from '../../../shared/url-state';

interface Props {
  title: string;
  /** Renders the steps of the import. */
  children: (events: ImportEvents) => ReactNode;
}

export interface ImportEvents {
  /** Called with true when the upload starts, and with false when it has ended. */
  onBusy: (isBusy: boolean) => void;
  onClose: () => void;
}

/** The drawer of an import from a file (`?import=1`). */
export function ImportDrawer({ title, children }: Props) {
  const url = useUrlState();
  // The drawer cannot be closed during an import, so that its outcome is seen.
  const [isBusy, setBusy] = useState(false);
  const close = (): void => url.set({ import: null });
  return (
    <Drawer
      open={url.text('import') === '1'}
      size={760}
      destroyOnHidden
      title={title}
      closable={!isBusy}
      keyboard={!isBusy}
      mask={{ closable: !isBusy }}
      onClose={close}
    >
      {children({ onBusy: setBusy, onClose: close })}
    </Drawer>
  );
}
