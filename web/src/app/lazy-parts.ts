import { lazyPart } from '../shared/parts/lazy-part';
import { loadCallingTexts } from './calls/calling-texts';
import { loadFindTexts } from './find/find-texts';

/** Loads a chunk together with the texts of the search and of the people picker. */
const withFindTexts = async <T>(chunk: Promise<T>): Promise<T> =>
  (await Promise.all([chunk, loadFindTexts()]))[0];

/** The open chat. */
export const ChatScreen = lazyPart(async () => (await import('./chat/chat-screen')).ChatScreen);

/** The window of a call. */
export const CallWindow = lazyPart(async () => {
  const [{ CallWindow: Window }] = await Promise.all([
    import('./calls/window/call-window'),
    loadCallingTexts(),
  ]);
  return Window;
});

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

/** The dialog that places a call. */
export const NewCall = lazyPart(async () => {
  const [{ NewCall: Dialog }] = await Promise.all([
    import('./calls/new/new-call'),
    loadFindTexts(),
    loadCallingTexts(),
  ]);
  return Dialog;
});

/** The rows of a long chat list. */
export const VirtualConversations = lazyPart(
  async () => (await import('./conversations/virtual-conversations')).VirtualConversations,
);
