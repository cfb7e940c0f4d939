import { EventEmitter } from 'node:events';
import { DownloadSlots } from './download-slots';

class FakeResponse extends EventEmitter {
  constructor(readonly destroyed = false) {
    super();
  }
}

describe('DownloadSlots', () => {
  let slots: DownloadSlots;
  beforeEach(() => {
    slots = new DownloadSlots();
  });

  /** Starts downloads of one address. Returns those that were accepted. */
  const start = (address: string, count: number): FakeResponse[] =>
    Array.from({ length: count }, () => new FakeResponse()).filter((response) => {
      try {
        slots.take(response, address);
        return true;
      } catch (error) {
        expect(error).toMatchObject({ key: 'UNAVAILABLE', retryAfterSeconds: 1 });
        return false;
      }
    });

  it('are 200, and one becomes free when a response closes', () => {
    const downloads = Array.from({ length: 201 }, (_, index) => start(`address ${index}`, 1)).flat();
    expect(downloads).toHaveLength(200);
    downloads[0]?.emit('close');
    expect(start('another', 2)).toHaveLength(1);
  });

  it('leave half of them to others when one address asks for all', () => {
    const downloads = start('slow', 200);
    expect(downloads).toHaveLength(100);
    expect(start('another', 30)).toHaveLength(20);
    for (const download of downloads) download.emit('close');
    expect(start('another', 30)).toHaveLength(30);
  });

  it('are not taken by a client that has disconnected', () => {
    expect(() => slots.take(new FakeResponse(true), 'gone')).toThrow();
    expect(start('slow', 200)).toHaveLength(100);
  });
});
