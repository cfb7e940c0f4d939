import { useMemo, useSyncExternalStore } from 'react';
import type { PendingMessage } from '@callboard/client';
import type { Upload } from './upload';
import { uploads } from './uploads';

/** Returns the unsent files of a conversation, updated live. */
export const useUploads = (conversationId: number): readonly Upload[] =>
  useSyncExternalStore(uploads.subscribe, () => uploads.of(conversationId));

/** Returns the files in the composer of a conversation. */
export const useAttached = (conversationId: number): readonly Upload[] => {
  const all = useUploads(conversationId);
  return useMemo(() => all.filter(({ message }) => message === undefined), [all]);
};

/** Returns the unsent messages of a conversation with those whose files are still being uploaded. */
export function usePendingMessages(
  conversationId: number,
  pending: readonly PendingMessage[],
): readonly PendingMessage[] {
  const all = useUploads(conversationId);
  // The progress of uploads changes many times per second, the messages rarely.
  const signature = all.map(({ message, error }) => `${message?.clientMsgId} ${error?.code}`).join();
  return useMemo(
    () => [...pending, ...toPending(all, new Set(pending.map(({ clientMsgId }) => clientMsgId)))],
    // oxlint-disable-next-line react/exhaustive-deps -- `signature` stands for the parts of `all` that are used
    [pending, signature],
  );
}

function toPending(all: readonly Upload[], known: ReadonlySet<string>): PendingMessage[] {
  const messages = new Map<string, PendingMessage>();
  for (const { type, message, error } of all) {
    if (message === undefined || known.has(message.clientMsgId)) continue;
    const { clientMsgId, caption } = message;
    const before = messages.get(clientMsgId);
    messages.set(clientMsgId, { clientMsgId, body: { type }, error: before?.error ?? error });
    const captionId = caption?.client_msg_id;
    if (caption !== undefined && captionId !== undefined && !known.has(captionId))
      messages.set(captionId, { clientMsgId: captionId, body: caption, error: undefined });
  }
  return [...messages.values()];
}
