const MIN_DELAY_MS = 500;
const MAX_DELAY_MS = 15_000;

const pause = (ms, signal) =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const wakeUp = () => {
      clearTimeout(timer);
      resolve();
    };
    signal.addEventListener('abort', wakeUp, { once: true });
  });

/**
 * Reads the event stream until `signal` aborts. Uses fetch, because EventSource cannot send a bearer token. When the stream
 * ends or breaks, it reconnects and resumes after the last event that was passed to `onEvent`.
 * @param after the cursor to start from
 * @param onEvent receives the data of each event, in order
 */
export async function followEvents({ api, after, onEvent, signal }) {
  let cursor = after;
  let delay = MIN_DELAY_MS;
  while (!signal.aborted) {
    try {
      const headers = { Authorization: `Bearer ${api.token()}`, 'Last-Event-ID': cursor };
      const response = await fetch(`${api.url}/api/events`, { headers, signal, cache: 'no-store' });
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
      delay = MIN_DELAY_MS;
      for await (const { id, data } of framesOf(response.body)) {
        cursor = id ?? cursor;
        onEvent(JSON.parse(data));
      }
    } catch {
      // Every failure is retried: the stream resumes after `cursor`, so no event is missed.
    }
    // Jitter: clients must not reconnect simultaneously after an instance stops.
    await pause(delay * (0.5 + Math.random()), signal);
    delay = Math.min(delay * 2, MAX_DELAY_MS);
  }
}

/** Yields the frames that have data. Skips comments, which are keep-alives. */
async function* framesOf(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const frames = (text + value).split('\n\n');
    text = frames.pop();
    for (const frame of frames) {
      const lines = frame.split('\n');
      const fieldOf = (name) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
      const data = fieldOf('data');
      if (data !== undefined) yield { id: fieldOf('id'), data };
    }
  }
}
