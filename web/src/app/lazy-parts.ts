import { lazyPart } from '../shared/parts/lazy-part';
import { loadFindTexts } from './find/find-texts';

/** Loads a chunk together with the texts of the search and of the people picker. */
const withFindTexts = async <T>(chunk: Promise<T>): Promise<T> =>
  (await Promise.all([chunk, loadFindTexts()]))[0];

/** The open chat. */
export const ChatScreen = lazyPart(async () => (await import('./chat/chat-screen')).ChatScreen);

/** The window of a call. */
export const CallWindow = lazyPart(async () => (await import('./calls/window/call-window')).CallWindow);

/** The search of chats, people and messages. */
export const Finder = lazyPart(async () => (await withFindTexts(import('./find/finder'))).Finder);

/** The panel beside a chat: its details, or the search in it. */
export const ChatSide = lazyPart(async () => (await withFindTexts(import('./chat/side/chat-side'))).ChatSide);

/** The dialog that starts a chat. */
export const NewConversation = lazyPart(
  async () => (await withFindTexts(import('./conversations/new/new-conversation'))).NewConversation,
);

/** The dialog that forwards a message. */
export const ForwardDialog = lazyPart(
  async () => (await withFindTexts(import('./chat/dialogs/forward-dialog'))).ForwardDialog,
);
