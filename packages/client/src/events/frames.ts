/** A frame of a stream of events that has data. */
export interface Frame {
  id: string | undefined;
  data: string;
}

/** Where a field of a line begins: `id: 7` and `id:7` are the same. */
const FIELD = /^(id|data): ?(.*)$/s;

/**
 * Takes a stream of Server-Sent Events apart, in whatever pieces it comes; comments and unknown fields are left out.
 * `onBytes` is called with each piece: somebody is there.
 */
export async function* framesOf(
  body: ReadableStream<Uint8Array>,
  onBytes: () => void = () => undefined,
): AsyncGenerator<Frame> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  /** The beginning of a line whose end has not come; pieces, so that a long line is not copied with each. */
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
    // Whoever stops listening closes the stream, too.
    await reader.cancel().catch(() => undefined);
  }
}
