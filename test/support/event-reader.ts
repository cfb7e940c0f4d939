import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { signToken } from './tokens';
import { MAX_WAIT_MS } from './waiting';

/** A frame of an event stream, with parsed data. */
export interface Frame {
  id?: string;
  event?: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read events of any shape
  data: any;
}

interface Options {
  userId: number;
  /** Token to use instead of a generated one. */
  token?: string;
  lastEventId?: string | number;
  after?: string | number;
  /** Additional claims of the token. */
  claims?: Record<string, unknown>;
  /** Path and query of another stream than that of events. */
  path?: string;
}

/** A client of an event stream over a real connection, like EventSource. */
export class EventReader {
  readonly frames: Frame[] = [];
  comments = 0;
  /** Resolves when the stream has ended. */
  readonly ended: Promise<void>;
  #rest = '';
  #onNews = (): void => undefined;

  private constructor(
    private readonly request: ClientRequest,
    readonly response: IncomingMessage,
  ) {
    this.ended = new Promise((resolve) => response.on('close', () => resolve()));
    response.setEncoding('utf8');
    response.on('error', () => undefined);
    response.on('data', (text: string) => this.#take(text));
  }

  /** Opens a stream and waits for its headers. */
  static async open(
    url: string,
    { userId, token, lastEventId, after, claims, path = '/api/events' }: Options,
  ): Promise<EventReader> {
    const authorization = `Bearer ${token ?? (await signToken({ sub: String(userId), ...claims }))}`;
    const headers: Record<string, string> = { authorization };
    if (lastEventId !== undefined) headers['last-event-id'] = String(lastEventId);
    const request = get(`${url}${path}${after === undefined ? '' : `?after=${after}`}`, {
      headers,
      agent: false,
    });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    request.on('error', () => undefined);
    return new EventReader(request, response);
  }

  get types(): (string | undefined)[] {
    return this.frames.map(({ event }) => event);
  }

  /** Ids of the received log events; ephemeral events have none. */
  get ids(): number[] {
    return this.frames.flatMap(({ id }) => (id === undefined ? [] : [Number(id)]));
  }

  /** Waits until `count` frames have been received and returns all frames. */
  async atLeast(count: number): Promise<Frame[]> {
    await this.until(() => this.frames.length >= count);
    return this.frames;
  }

  /**
   * Waits until a condition is true.
   * @throws {Error} with the received events, after `MAX_WAIT_MS`
   */
  async until(isSo: () => boolean): Promise<void> {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(
      () =>
        late.reject(
          new Error(`Not so: ${String(isSo)}\nThe stream only brought ${JSON.stringify(this.types)}`),
        ),
      MAX_WAIT_MS,
    );
    try {
      while (!isSo()) {
        const news = new Promise<void>((resolve) => (this.#onNews = resolve));
        await Promise.race([news, late.promise]);
      }
    } finally {
      clearTimeout(timer);
    }
  }

  close(): void {
    this.request.destroy();
  }

  #take(text: string): void {
    const parts = (this.#rest + text).split('\n\n');
    this.#rest = parts.pop() ?? '';
    for (const part of parts) {
      if (part.startsWith(':')) this.comments += 1;
      else this.frames.push(parse(part));
    }
    this.#onNews();
  }
}

function parse(frame: string): Frame {
  const fields = Object.fromEntries(
    frame.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  );
  return { ...fields, data: JSON.parse(fields.data ?? 'null') as unknown };
}
