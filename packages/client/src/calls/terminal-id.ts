import { keepIn, keepLock } from '../environment.js';
import { uniqueId } from '../unique-id.js';

const KEY = 'callboard-terminal';
const CALL_KEY = 'callboard-call';
const DEVICES_KEY = 'callboard-call-devices';
/** A page that is loaded anew may still hold its lock for a moment. */
const PATIENCE_MS = 500;

/** A page holds its lock as long as it lives: a terminal after its first one, as of another user, has the same id. */
let ofThisPage: Promise<string> | undefined;

/**
 * Names this window to the service, the same after a reload. A window that was duplicated has the id of the other one in its
 * storage, and takes a new one.
 */
export const tabTerminalId = (): Promise<string> => (ofThisPage ??= takeTerminalId());

async function takeTerminalId(): Promise<string> {
  const storage = sessionStorageOf();
  const known = storage?.getItem(KEY);
  if (known && (await keepLock(`callboard terminal ${known}`, PATIENCE_MS))) return known;
  const id = uniqueId();
  keepIn(storage, KEY, id);
  rememberCall(null);
  void keepLock(`callboard terminal ${id}`, PATIENCE_MS);
  return id;
}

/** What of its devices a terminal lets out. */
export interface DevicesInUse {
  isMuted: boolean;
  hasCamera: boolean;
}

/** Notes the call that this window is in, for the page that comes after a reload; null: none. */
export function rememberCall(callId: number | null): void {
  const storage = sessionStorageOf();
  if (callId === null) for (const key of [CALL_KEY, DEVICES_KEY]) storage?.removeItem(key);
  else keepIn(storage, CALL_KEY, String(callId));
}

/** Notes what this window sends in its call: whoever was muted is so after a reload. */
export const rememberDevices = ({ isMuted, hasCamera }: DevicesInUse): void =>
  void keepIn(sessionStorageOf(), DEVICES_KEY, JSON.stringify({ isMuted, hasCamera }));

/** What was noted last in the present call; undefined: nothing. */
export function rememberedDevices(): DevicesInUse | undefined {
  const noted = sessionStorageOf()?.getItem(DEVICES_KEY);
  return noted ? (JSON.parse(noted) as DevicesInUse) : undefined;
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
