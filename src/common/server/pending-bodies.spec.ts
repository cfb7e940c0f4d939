import { PassThrough } from 'node:stream';
import type { ErrorKey } from '../errors/error-catalogue';
import { PendingBodies } from './pending-bodies';

const MEBIBYTE = Buffer.alloc(1024 * 1024);

describe('PendingBodies', () => {
  it('rejects bodies beyond 64 MiB in total with 503', () => {
    const bodies = new PendingBodies();
    const refusals: ErrorKey[] = [];
    const begin = (address: string): PassThrough => {
      const body = new PassThrough({ highWaterMark: 2 * MEBIBYTE.length });
      bodies.watch(body, address, (key) => refusals.push(key));
      body.emit('data', MEBIBYTE);
      return body;
    };
    const open = ['a', 'b', 'c', 'd'].flatMap((address) => Array.from({ length: 16 }, () => begin(address)));
    expect(refusals).toEqual([]);
    open.push(begin('e'));
    expect(refusals).toEqual(['UNAVAILABLE']);
    for (const body of open) body.emit('close');
    open.splice(0);
    open.push(begin('f'));
    expect(refusals).toEqual(['UNAVAILABLE']);
    for (const body of open) body.emit('close');
  });

  it('rejects bodies beyond 16 MiB per address with 429', () => {
    const bodies = new PendingBodies();
    const refusals: ErrorKey[] = [];
    const open = Array.from({ length: 17 }, () => {
      const body = new PassThrough();
      bodies.watch(body, '192.0.2.1', (key) => refusals.push(key));
      body.emit('data', MEBIBYTE);
      return body;
    });
    expect(refusals).toEqual(['TOO_MANY_REQUESTS']);
    for (const body of open) body.emit('close');
  });
});
