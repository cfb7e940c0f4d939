/* Wrappers for browser features that Node, React Native, or a page over plain http may lack. */

/** Milliseconds of a monotonic clock. Differences stay correct when the time of day is changed. */
export const monotonicNow = (): number => globalThis.performance?.now?.() ?? Date.now();

const locks = (): LockManager | undefined => globalThis.navigator?.locks;

/** Whether the tabs of a browser can elect a leader, which needs Web Locks. */
export const canElect = (): boolean => locks() !== undefined && globalThis.document !== undefined;

/** Runs `run` while no other tab holds the lock `name`. Runs it immediately if there are no locks. */
export async function withLock<T>(name: string, run: () => Promise<T>): Promise<T> {
  const manager = canElect() ? locks() : undefined;
  return manager === undefined ? run() : manager.request(name, run);
}

/**
 * Waits for the lock and holds it while `run` is running. The signal `lost` that `run` gets aborts with `signal`. Resolves
 * without an error if `signal` aborts during the wait, or if another tab steals the lock. Does nothing if there are no locks.
 * @param options `steal`: takes the lock from its holder
 */
export async function holdLock(
  name: string,
  run: (lost: AbortSignal) => Promise<void>,
  { signal, steal = false }: { signal: AbortSignal; steal?: boolean },
): Promise<void> {
  const lost = new AbortController();
  const stopListening = onAbort(signal, () => lost.abort());
  try {
    // Web Locks reject `signal` together with `steal`: a stealing request never waits.
    await locks()?.request(name, steal ? { steal } : { signal }, () => run(lost.signal));
  } catch {
    // Aborted, or the lock was stolen by a tab that received no message from this one for too long.
  } finally {
    lost.abort();
    stopListening();
  }
}

/**
 * Acquires a lock and holds it until the page is closed. Resolves with false if the lock is not free within `maxWaitMs`, and
 * with true if there are no locks.
 */
export async function keepLock(name: string, maxWaitMs: number): Promise<boolean> {
  const manager = canElect() ? locks() : undefined;
  if (manager === undefined) return true;
  const waiting = new AbortController();
  const timer = setTimeout(() => waiting.abort(), maxWaitMs);
  return new Promise((resolve) => {
    manager
      .request(name, { signal: waiting.signal }, () => {
        clearTimeout(timer);
        resolve(true);
        return new Promise<never>(() => undefined);
      })
      .catch(() => resolve(false));
  });
}

/** Calls `callback` when `signal` aborts, or immediately if it has aborted. Returns a function that removes the callback. */
export function onAbort(signal: AbortSignal | undefined, callback: () => void): () => void {
  if (signal?.aborted) callback();
  else signal?.addEventListener('abort', callback, { once: true });
  return () => signal?.removeEventListener('abort', callback);
}

/** A channel to the other tabs of this origin. The sender does not receive its own messages. */
export interface Channel<Message> {
  post(message: Message): void;
  close(): void;
}

/** Opens a channel to the other tabs of this origin. Returns a channel without effect where there are no tabs. */
export function openChannel<Message>(name: string, onMessage: (message: Message) => void): Channel<Message> {
  if (globalThis.document === undefined || globalThis.BroadcastChannel === undefined)
    return { post: () => undefined, close: () => undefined };
  const channel = new BroadcastChannel(name);
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => onMessage(data));
  return { post: (message) => channel.postMessage(message), close: () => channel.close() };
}

/** Stores a text in a browser storage. Returns false if there is no storage, or it is full. */
export function trySetItem(storage: Storage | undefined, name: string, text: string): boolean {
  try {
    storage?.setItem(name, text);
    return storage !== undefined;
  } catch {
    return false;
  }
}

export const isVisible = (): boolean => globalThis.document?.visibilityState !== 'hidden';

/**
 * Calls `callback` when the network comes back or the page is shown or hidden. Returns a function that removes the callback.
 */
export function onWakeUp(callback: () => void): () => void {
  globalThis.addEventListener?.('online', callback);
  globalThis.document?.addEventListener?.('visibilitychange', callback);
  return () => {
    globalThis.removeEventListener?.('online', callback);
    globalThis.document?.removeEventListener?.('visibilitychange', callback);
  };
}

/** Resolves after `ms` or when `signal` aborts. If `wakeable`, also when the network comes back or the page becomes visible. */
export function pause(ms: number, signal?: AbortSignal, { wakeable = false } = {}): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      stopListening();
      resolve();
    };
    const timer = setTimeout(end, ms);
    const stopListening = wakeable ? onWakeUp(() => isVisible() && end()) : () => undefined;
    signal?.addEventListener('abort', end);
  });
}
