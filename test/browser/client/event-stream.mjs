const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 15_000;

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
 * Reads the event stream with fetch, because EventSource cannot send a bearer token, until `signal` aborts. When the
 * stream breaks it goes on after the last event that it has handed over.
 * @param after the cursor to begin after
 * @param onEvent gets each event's data, in order
 */
export async function followEvents({ api, after, onEvent, signal }) {
  let cursor = after;
  let wait = FIRST_WAIT_MS;
  while (!signal.aborted) {
    try {
      const headers = { Authorization: `Bearer ${api.token()}`, 'Last-Event-ID': cursor };
      const response = await fetch(`${api.url}/api/events`, { headers, signal, cache: 'no-store' });
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
      wait = FIRST_WAIT_MS;
      for await (const { id, data } of framesOf(response.body)) {
        cursor = id ?? cursor;
        onEvent(JSON.parse(data));
      }
    } catch {
      // Whatever it was, the cursor knows what was missed.
    }
    // Not all clients at once, when an instance has stopped.
    await pause(wait * (0.5 + Math.random()), signal);
    wait = Math.min(wait * 2, MAX_WAIT_MS);
  }
}

/** The frames of a stream that have data. */
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
