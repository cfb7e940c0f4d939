/** Interval of the checks. Texts that depend on the time change up to this much later. */
const CHECK_MS = 30_000;

/** Calls the listener every 30 s, until the returned function is called; for times whose passing no event reports. */
export function subscribeToClock(listener: () => void): () => void {
  const timer = setInterval(listener, CHECK_MS);
  return () => clearInterval(timer);
}
