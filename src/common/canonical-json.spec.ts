import { canonicalJson } from './canonical-json';

describe('canonicalJson', () => {
  it('is equal for equal objects, regardless of key order', () => {
    expect(canonicalJson({ b: { d: 1, c: [2, 1] }, a: 'x' })).toBe('{"a":"x","b":{"c":[2,1],"d":1}}');
    expect(canonicalJson({ a: 'x', c: undefined, b: { c: [2, 1], d: 1 } })).toBe(
      '{"a":"x","b":{"c":[2,1],"d":1}}',
    );
  });

  it('keeps the order of lists and the key __proto__', () => {
    expect(canonicalJson([2, 1])).toBe('[2,1]');
    expect(canonicalJson(JSON.parse('{"__proto__":1,"a":2}'))).toBe('{"__proto__":1,"a":2}');
  });
});
