import { lazyPart } from '../shared/parts/lazy-part';

/** The open chat. */
export const ChatScreen = lazyPart(async () => (await import('./chat/chat-screen')).ChatScreen);

/** The window of a call. */
export const CallWindow = lazyPart(async () => (await import('./calls/window/call-window')).CallWindow);
