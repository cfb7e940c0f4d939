import type { ServerResponse } from 'node:http';
import type { UserId } from '../../common/ids';
import { PresenceStream } from './presence-stream';

const NOW = 1_000;

/** A response whose reader takes what is left when it ends, so that no clock waits for one, and what was done to it. */
class Response {
  readonly done: string[] = [];
  readonly destroyed = false;
  readonly socket = null;

  write(text: string): boolean {
    this.done.push(text);
    return this.takes;
  }

  end(taken: () => void): void {
    this.done.push('end');
    taken();
  }

  constructor(private readonly takes = true) {}
}

const begin = (stream: PresenceStream, response: Response, online: boolean): void =>
  stream.begin(
    response as unknown as ServerResponse,
    [{ item: { user_id: 2, online, last_seen_at: null }, endsAt: undefined }],
    NOW,
  );

describe('A presence stream', () => {
  const principal = { id: 1 as UserId, role: 'user' as const, expiresAt: 10_000 };
  const aStream = () => new PresenceStream(principal, { userIds: [2, 3], conversationId: undefined });

  it('says of each what it had not said', () => {
    const [stream, response] = [aStream(), new Response()];
    begin(stream, response, false);
    const item = { user_id: 2, online: false, last_seen_at: null };
    stream.say([{ item, endsAt: undefined }], NOW);
    stream.say([{ item: { ...item, last_seen_at: new Date(5) }, endsAt: undefined }], NOW);
    expect(response.done).toEqual([
      ': callboard\n\n',
      'event: presence\ndata: {"user_id":2,"online":false,"last_seen_at":null}\n\n',
      'event: presence\ndata: {"user_id":2,"online":false,"last_seen_at":"1970-01-01T00:00:00.005Z"}\n\n',
    ]);
  });

  it('that is ended before it has begun, by a sixth, begins with its end', () => {
    const [stream, response] = [aStream(), new Response()];
    stream.end();
    begin(stream, response, true);
    expect(response.done).toEqual([': callboard\n\n', 'end']);
  });

  it('asks nothing before it has begun, nor while its socket is full, and forgets nothing meanwhile', () => {
    const stream = aStream();
    stream.makeStale(2);
    expect(stream.takeQuestions(10)).toEqual([]);
    begin(stream, new Response(false), true);
    stream.makeAllStale();
    expect(stream.takeQuestions(10)).toEqual([]);
    stream.drained();
    expect(stream.takeQuestions(1)).toEqual([{ userId: 1, otherId: 2, conversationId: undefined }]);
    expect(stream.takeQuestions(10)).toEqual([{ userId: 1, otherId: 3, conversationId: undefined }]);
    expect(stream.takeQuestions(10)).toEqual([]);
  });

  it('ends when the token expires', () => {
    const [stream, response] = [aStream(), new Response()];
    begin(stream, response, true);
    stream.tick(9_999);
    expect(stream.isOver).toBe(false);
    stream.tick(10_000);
    expect(stream.isOver).toBe(true);
    expect(response.done.at(-1)).toBe('end');
  });
});
