import { trySetItem, keepLock } from '../environment.js';
import { uniqueId } from '../unique-id.js';

const KEY = 'callboard-terminal';
const CALL_KEY = 'callboard-call';
const DEVICES_KEY = 'callboard-call-devices';
/** Maximum wait for the lock: a page that is being reloaded may hold it for a moment longer. */
const LOCK_WAIT_MS = 500;

/** Id of all terminals of this page, for example after a change of user: a page holds its lock until it is closed. */
let pageTerminalId: Promise<string> | undefined;

/**
 * Returns the terminal id of this tab, which stays the same after a reload. A duplicated tab has a copy of the original's
 * sessionStorage; the lock of the id is taken, so the duplicate gets a new id.
 */
export const tabTerminalId = (): Promise<string> => (pageTerminalId ??= reserveTerminalId());

async function reserveTerminalId(): Promise<string> {
  const storage = sessionStorageOf();
  const stored = storage?.getItem(KEY);
  if (stored && (await keepLock(`callboard terminal ${stored}`, LOCK_WAIT_MS))) return stored;
  const id = uniqueId();
  trySetItem(storage, KEY, id);
  rememberCall(null);
  void keepLock(`callboard terminal ${id}`, LOCK_WAIT_MS);
  return id;
}

/** Which devices a terminal sends. */
export interface DevicesInUse {
  isMuted: boolean;
  hasCamera: boolean;
}

/** Stores the call that this tab is in, so that it can be resumed after a reload; null: none. */
export function rememberCall(callId: number | null): void {
  const storage = sessionStorageOf();
  if (callId === null) for (const key of [CALL_KEY, DEVICES_KEY]) storage?.removeItem(key);
  else trySetItem(storage, CALL_KEY, String(callId));
}

/** Stores the devices that this tab sends in its call, so that a muted user stays muted after a reload. */
export const rememberDevices = ({ isMuted, hasCamera }: DevicesInUse): void =>
  void trySetItem(sessionStorageOf(), DEVICES_KEY, JSON.stringify({ isMuted, hasCamera }));

/** Returns the devices stored during the current call; undefined if there are none. */
export function rememberedDevices(): DevicesInUse | undefined {
  const stored = sessionStorageOf()?.getItem(DEVICES_KEY);
  return stored ? (JSON.parse(stored) as DevicesInUse) : undefined;
}

/** Whether this tab was in the call. Other tabs of the user have a storage of their own. */
export const wasInCall = (callId: number): boolean =>
  sessionStorageOf()?.getItem(CALL_KEY) === String(callId);

/** Returns sessionStorage; undefined if the browser denies access. */
function sessionStorageOf(): Storage | undefined {
  try {
    return globalThis.sessionStorage;
  } catch {
    return undefined;
  }
}
