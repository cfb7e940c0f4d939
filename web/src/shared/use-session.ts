import { useSyncExternalStore } from 'react';
import { Session, type SessionState } from './session';

/** The session of this tab. */
export const session = new Session();

const subscribe = (listener: () => void): (() => void) => session.subscribe(listener);

/** The session's state, as it changes. */
export const useSession = (): SessionState => useSyncExternalStore(subscribe, () => session.state);
