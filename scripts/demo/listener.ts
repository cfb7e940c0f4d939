/** A terminal of the demo that prints every event of its stream. */
export class Listener {
  readonly #abort = new AbortController();

  private constructor(
    private readonly name: string,
    private readonly print: (text: string) => void,
  ) {}

  /** Opens the stream and waits for the response headers. */
  static async open(
    name: string,
    url: string,
    token: string,
    print: (text: string) => void,
  ): Promise<Listener> {
    const listener = new Listener(name, print);
    const response = await fetch(`${url}/api/events`, {
      headers: { authorization: `Bearer ${token}` },
      signal: listener.#abort.signal,
    });
    if (!response.ok || response.body === null) throw new Error(`No stream: ${response.status}`);
    void listener.#follow(response.body).catch(() => undefined);
    return listener;
  }

  close(): void {
    this.#abort.abort();
  }

  async #follow(body: ReadableStream<Uint8Array>): Promise<void> {
    let rest = '';
    for await (const text of body.pipeThrough(new TextDecoderStream())) {
      const frames = (rest + text).split('\n\n');
      rest = frames.pop() ?? '';
      for (const frame of frames) if (!frame.startsWith(':')) this.#show(frame);
    }
  }

  #show(frame: string): void {
    const [, id, type, json] = /^(?:id: (.*)\n)?event: (.*)\ndata: (.*)$/.exec(frame) ?? [];
    const what = summaryOf(JSON.parse(json ?? '{}') as EventData);
    this.print(
      `  ⚡ ${this.name} receives ${id === undefined ? '' : `#${id} `}${type}  ${JSON.stringify(what)}`,
    );
  }
}

interface EventData {
  type?: string;
  call?: { call_id: number; status: string; version: number };
  terminal_id?: string;
  notification?: object;
  signal_id?: string;
  session_id?: string | null;
  description?: { type: string } | null;
  candidates?: object[];
}

/** Returns the relevant fields of an event's data. */
function summaryOf({ type, call, terminal_id, notification, ...signal }: EventData): object {
  if (type === 'call.signal') {
    const { signal_id, session_id, description, candidates } = signal;
    const parts = { description: description?.type ?? null, candidates: candidates?.length };
    return { terminal_id, signal_id, session_id, ...parts };
  }
  if (call === undefined) return { notification };
  return { call_id: call.call_id, status: call.status, version: call.version, terminal_id };
}
