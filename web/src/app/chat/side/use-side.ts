import { useUrlState } from '../../../shared/url-state';

/** Content of the panel beside a chat. */
export type Side = 'details' | 'search';

interface SideState {
  side: Side | undefined;
  open: (side: Side) => void;
  close: () => void;
}

/** State of the panel beside the open chat, in the address: the browser's back button closes it. */
export function useSide(): SideState {
  const url = useUrlState();
  const shown = url.text('side');
  return {
    side: shown === 'details' || shown === 'search' ? shown : undefined,
    open: (side) => url.set({ side }, { push: shown === undefined }),
    close: () => url.set({ side: null }),
  };
}
