import { readRange } from './byte-range.rules';

describe('readRange', () => {
  it.each([
    ['bytes=0-0', { from: 0, to: 0 }],
    ['bytes=2-5', { from: 2, to: 5 }],
    ['bytes=2-', { from: 2, to: 9 }],
    ['bytes=2-99', { from: 2, to: 9 }],
    ['bytes=-3', { from: 7, to: 9 }],
    ['bytes=-30', { from: 0, to: 9 }],
    ['bytes=10-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=5-2', undefined],
    ['bytes=0-1,3-4', undefined],
    ['bytes=-', undefined],
    ['lines=0-1', undefined],
    [undefined, undefined],
  ])('reads %s of 10 bytes', (header, range) => {
    expect(readRange(header, 10)).toEqual(range);
  });
});
