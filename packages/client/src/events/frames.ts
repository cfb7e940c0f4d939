/** A frame of an event stream. Frames without data are skipped. */
export interface Frame {
  id: string | undefined;
  data: string;
}

/** A line with a field that is read. `id: 7` and `id:7` are equivalent. */
const FIELD = /^(id|data): ?(.*)$/s;

/**
 * Parses a stream of Server-Sent Events, independently of how it is split into chunks. Skips comments and unknown fields.
 * @param onBytes called for each chunk, comments included: a sign that the service is alive
 */
export async function* parseFrames(
  body: ReadableStream<Uint8Array>,
  onBytes: () => void = () => undefined,
): AsyncGenerator<Frame> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  /** Chunks of a line whose end has not arrived. Kept apart, so that a long line is not copied for each chunk. */
  let unfinished: string[] = [];
  let id: string | undefined;
  let data: string[] = [];
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      onBytes();
      const lines = decoder.decode(value, { stream: true }).split('\n');
      unfinished.push(lines[0] ?? '');
      for (const next of lines.slice(1)) {
        const line = unfinished.join('').replace(/\r$/, '');
        unfinished = [next];
        const [, name, text = ''] = FIELD.exec(line) ?? [];
        if (name === 'id') id = text;
        else if (name === 'data') data.push(text);
        if (line !== '') continue;
        if (data.length > 0) yield { id, data: data.join('\n') };
        id = undefined;
        data = [];
      }
    }
  } finally {
    // Closes the stream when the consumer stops iterating.
    await reader.cancel().catch(() => undefined);
  }
}
