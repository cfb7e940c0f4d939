/* What a browser has, and Node, React Native or a page over plain http may not have. */

/** Milliseconds of a clock that nobody sets: differences hold, whatever the time of day is taken for. */
export const elapsed = (): number => globalThis.performance?.now?.() ?? Date.now();

const locks = (): LockManager | undefined => globalThis.navigator?.locks;

/** Whether tabs of a browser can agree who does something for all of them. */
export const canElect = (): boolean => locks() !== undefined && globalThis.document !== undefined;

/** Runs `act` while no other tab runs one of this name; without locks, at once. */
export async function exclusively<T>(name: string, act: () => Promise<T>): Promise<T> {
  const manager = canElect() ? locks() : undefined;
  return manager === undefined ? act() : manager.request(name, act);
}

/** Waits for the lock, holds it until `signal` aborts, and runs `act` meanwhile. `steal`: takes it from its holder. */
export async function holdLock(
  name: string,
  act: (lost: AbortSignal) => Promise<void>,
  { signal, steal = false }: { signal: AbortSignal; steal?: boolean },
): Promise<void> {
  const lost = new AbortController();
  const stopListening = onAbort(signal, () => lost.abort());
  try {
    // A request that steals cannot be given up while it waits: it does not wait.
    await locks()?.request(name, steal ? { steal } : { signal }, () => act(lost.signal));
  } catch {
    // Given up, or stolen by a tab that has heard nothing of this one.
  } finally {
    lost.abort();
    stopListening();
  }
}

/** Whether a lock could be had at once, or within `patience` milliseconds; it is then held as long as the page lives. */
export async function keepLock(name: string, patience: number): Promise<boolean> {
  const manager = canElect() ? locks() : undefined;
  if (manager === undefined) return true;
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(), patience);
  return new Promise((resolve) => {
    manager
      .request(name, { signal: giveUp.signal }, () => {
        clearTimeout(timer);
        resolve(true);
        return new Promise<never>(() => undefined);
      })
      .catch(() => resolve(false));
  });
}

/** Calls `act` when `signal` aborts, at once if it has already; answers what ends that. */
export function onAbort(signal: AbortSignal | undefined, act: () => void): () => void {
  if (signal?.aborted) act();
  else signal?.addEventListener('abort', act, { once: true });
  return () => signal?.removeEventListener('abort', act);
}

/** A channel to the other tabs; what is posted comes to them and not back. */
export interface Channel<Message> {
  post(message: Message): void;
  close(): void;
}

/** Opens a channel to the other tabs of this origin; one that leads nowhere where there are no tabs. */
export function openChannel<Message>(name: string, onMessage: (message: Message) => void): Channel<Message> {
  if (globalThis.document === undefined || globalThis.BroadcastChannel === undefined)
    return { post: () => undefined, close: () => undefined };
  const channel = new BroadcastChannel(name);
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => onMessage(data));
  return { post: (message) => channel.postMessage(message), close: () => channel.close() };
}

/** Keeps a text in a storage of the browser. Answers whether it could: there may be none, or no room in it. */
export function keepIn(storage: Storage | undefined, name: string, text: string): boolean {
  try {
    storage?.setItem(name, text);
    return storage !== undefined;
  } catch {
    return false;
  }
}

export const isVisible = (): boolean => globalThis.document?.visibilityState !== 'hidden';

/** Calls `act` when the network comes back or the page is shown or hidden; answers what ends that. */
export function onWakeUp(act: () => void): () => void {
  globalThis.addEventListener?.('online', act);
  globalThis.document?.addEventListener?.('visibilitychange', act);
  return () => {
    globalThis.removeEventListener?.('online', act);
    globalThis.document?.removeEventListener?.('visibilitychange', act);
  };
}

/** Resolves after `ms`, when `signal` aborts, or when the machine wakes up, whichever comes first. */
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
