import { keepLock } from '../environment.js';
import { uniqueId } from '../unique-id.js';

const KEY = 'callboard-terminal';
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
  void keepLock(`callboard terminal ${id}`, PATIENCE_MS);
  return id;
}

/** Browsers may forbid it. */
function sessionStorageOf(): Storage | undefined {
  try {
    return globalThis.sessionStorage;
  } catch {
    return undefined;
  }
}
