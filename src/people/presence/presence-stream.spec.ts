import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { UserId } from '../../common/ids';
import { PresenceStream } from './presence-stream';

const NOW = 1_000;

/** A response that finishes immediately when it is ended, so that no timer is started. Records all calls. */
class Response extends EventEmitter {
  readonly calls: string[] = [];
  readonly destroyed = false;
  readonly socket = null;

  write(text: string): boolean {
    this.calls.push(text);
    return this.acceptsMore;
  }

  end(finished: () => void): void {
    this.calls.push('end');
    finished();
  }

  constructor(private readonly acceptsMore = true) {
    super();
  }
}

const begin = (stream: PresenceStream, response: Response, online: boolean): void =>
  stream.begin(
    response as unknown as ServerResponse,
    [{ item: { user_id: 2, online, last_seen_at: null }, endsAt: undefined }],
    NOW,
  );

describe('PresenceStream', () => {
  const principal = { id: 1 as UserId, role: 'user' as const, expiresAt: 10_000 };
  const createStream = () => new PresenceStream(principal, { userIds: [2, 3], conversationId: undefined });

  it('sends an item only when it has changed', () => {
    const [stream, response] = [createStream(), new Response()];
    begin(stream, response, false);
    const item = { user_id: 2, online: false, last_seen_at: null };
    stream.say([{ item, endsAt: undefined }], NOW);
    stream.say([{ item: { ...item, last_seen_at: new Date(5) }, endsAt: undefined }], NOW);
    expect(response.calls).toEqual([
      ': callboard\n\n',
      'event: presence\ndata: {"user_id":2,"online":false,"last_seen_at":null}\n\n',
      'event: presence\ndata: {"user_id":2,"online":false,"last_seen_at":"1970-01-01T00:00:00.005Z"}\n\n',
    ]);
  });

  it('ends immediately when it was ended before it began, for example by a sixth stream', () => {
    const [stream, response] = [createStream(), new Response()];
    stream.end();
    begin(stream, response, true);
    expect(response.calls).toEqual([': callboard\n\n', 'end']);
  });

  it('asks no questions before it has begun or while its socket is full, and keeps them for later', () => {
    const stream = createStream();
    stream.makeStale(2);
    expect(stream.takeQuestions(10)).toEqual([]);
    const response = new Response(false);
    begin(stream, response, true);
    stream.makeAllStale();
    expect(stream.takeQuestions(10)).toEqual([]);
    response.emit('drain');
    expect(stream.takeQuestions(1)).toEqual([{ userId: 1, otherId: 2, conversationId: undefined }]);
    expect(stream.takeQuestions(10)).toEqual([{ userId: 1, otherId: 3, conversationId: undefined }]);
    expect(stream.takeQuestions(10)).toEqual([]);
  });

  it('ends when the token expires', () => {
    const [stream, response] = [createStream(), new Response()];
    begin(stream, response, true);
    stream.tick(9_999);
    expect(stream.isOver).toBe(false);
    stream.tick(10_000);
    expect(stream.isOver).toBe(true);
    expect(response.calls.at(-1)).toBe('end');
  });
});
