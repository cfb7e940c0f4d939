import { keepLock } from '../environment.js';
import { uniqueId } from '../unique-id.js';

const KEY = 'callboard-terminal';
const CALL_KEY = 'callboard-call';
/** A page that is loaded anew may still hold its lock for a moment. */
const PATIENCE_MS = 500;

/**
 * Names this window to the service, the same after a reload. A window that was duplicated has the id of the other one in its
 * storage, and takes a new one.
 */
export async function windowsTerminalId(): Promise<string> {
  const storage = sessionStorageOf();
  const known = storage?.getItem(KEY);
  if (known && (await keepLock(`callboard terminal ${known}`, PATIENCE_MS))) return known;
  const id = uniqueId();
  storage?.setItem(KEY, id);
  rememberCall(null);
  void keepLock(`callboard terminal ${id}`, PATIENCE_MS);
  return id;
}

/** Notes the call that this window is in, for the page that comes after a reload; null: none. */
export function rememberCall(callId: number | null): void {
  if (callId === null) sessionStorageOf()?.removeItem(CALL_KEY);
  else sessionStorageOf()?.setItem(CALL_KEY, String(callId));
}

/** Whether this window was in that call; another window of the user has its own. */
export const wasInCall = (callId: number): boolean =>
  sessionStorageOf()?.getItem(CALL_KEY) === String(callId);

/** Browsers may forbid it. */
function sessionStorageOf(): Storage | undefined {
  try {
    return globalThis.sessionStorage;
  } catch {
    return undefined;
  }
}
