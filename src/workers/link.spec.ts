import { EventEmitter } from 'node:events';
import { Link } from './link';

/** Two connected ends. `written` resolves a pending write; until then further messages are queued. */
class End extends EventEmitter {
  other?: End;
  sent: { callboard: unknown[] }[] = [];
  isSlow = false;
  #write = (): void => undefined;

  send(message: object, callback?: (error: Error | null) => void): boolean {
    this.sent.push(message as { callboard: unknown[] });
    this.#write = () => {
      this.other?.emit('message', message);
      callback?.(null);
    };
    if (!this.isSlow) this.write();
    return true;
  }

  write(): void {
    this.#write();
  }
}

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

describe('Link', () => {
  const connect = () => {
    const [end, otherEnd] = [new End(), new End()];
    end.other = otherEnd;
    otherEnd.other = end;
    return { end, link: new Link(end), other: new Link(otherEnd) };
  };

  it('returns the reply of the handler of the topic', async () => {
    const { link, other } = connect();
    other.handle('double', (body: number) => Promise.resolve(body * 2));
    expect(await Promise.all([link.ask('double', 2), link.ask('double', 5)])).toEqual([4, 10]);
  });

  it('rejects a question whose handler throws or is missing', async () => {
    const { link, other } = connect();
    other.handle('broken', () => {
      throw new TypeError('broken');
    });
    await expect(link.ask('broken', 1)).rejects.toThrow('The other process failed');
    await expect(link.ask('unknown', 1)).rejects.toThrow('The other process failed');
  });

  it('rejects pending and later questions when it is closed', async () => {
    const { link, other } = connect();
    other.handle('never', () => new Promise(() => undefined));
    const reply = link.ask('never', 1);
    link.close();
    await expect(reply).rejects.toThrow('The link is closed');
    await expect(link.ask('never', 1)).rejects.toThrow('The link is closed');
  });

  it('rejects a question without a reply after 5 s', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    const { link, other } = connect();
    other.handle('never', () => new Promise(() => undefined));
    const reply = link.ask('never', 1).catch(String);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(await reply).toBe('Error: No reply to never within 5000 ms');
    jest.useRealTimers();
  });

  it('sends the messages of one turn of the event loop together', async () => {
    const { end, link } = connect();
    link.notify('events', 1);
    link.notify('events', 2);
    await turn();
    link.notify('events', 3);
    await turn();
    expect(end.sent.map(({ callboard }) => callboard)).toEqual([
      [
        { topic: 'events', body: 1 },
        { topic: 'events', body: 2 },
      ],
      [{ topic: 'events', body: 3 }],
    ]);
  });

  it('drops messages beyond 10,000 while the other process does not read', async () => {
    const { end, link, other } = connect();
    const received: number[] = [];
    other.handle('events', (body: number) => received.push(body));
    end.isSlow = true;
    link.notify('events', 0);
    await turn();
    for (let index = 1; index <= 10_005; index += 1) link.notify('events', index);
    end.isSlow = false;
    end.write();
    expect([received.length, received.at(-1)]).toEqual([10_001, 10_000]);
  });

  it('ignores messages of other senders', () => {
    const { end, link } = connect();
    link.handle('events', () => {
      throw new Error('was called');
    });
    for (const message of [undefined, null, 'text', { type: 'prom-client:getMetricsReq' }])
      expect(() => end.emit('message', message)).not.toThrow();
  });
});
