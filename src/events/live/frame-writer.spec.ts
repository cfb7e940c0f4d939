import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { FrameWriter } from './frame-writer';

/** A response whose client reads everything or nothing; records the calls on it. */
class Response extends EventEmitter {
  readonly done: string[] = [];
  readonly socket = { end: () => this.done.push('closed') };
  destroyed = false;

  write(): boolean {
    return true;
  }

  end(taken: () => void): void {
    this.done.push('end');
    if (this.takes) taken();
  }

  destroy(): void {
    this.destroyed = true;
    this.done.push('dropped');
  }

  constructor(private readonly takes: boolean) {
    super();
  }
}

describe('FrameWriter.end', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  const end = (response: Response): void => new FrameWriter(response as unknown as ServerResponse, 0).end();

  it('closes the connection when everything is sent', () => {
    const response = new Response(true);
    end(response);
    jest.advanceTimersByTime(120_000);
    expect(response.done).toEqual(['end', 'closed']);
  });

  it('drops the connection when the client does not read the rest within a minute', () => {
    const response = new Response(false);
    end(response);
    jest.advanceTimersByTime(59_999);
    expect(response.done).toEqual(['end']);
    jest.advanceTimersByTime(1);
    expect(response.done).toEqual(['end', 'dropped']);
  });
});
