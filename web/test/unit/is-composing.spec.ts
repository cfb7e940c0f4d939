import { isComposing } from '../../src/shared/is-composing';

describe('isComposing', () => {
  it.each([
    ['an Enter', { keyCode: 13, nativeEvent: { isComposing: false } }, false],
    ['a key during a composition', { keyCode: 13, nativeEvent: { isComposing: true } }, true],
    [
      'the Enter that ends a composition in Safari',
      { keyCode: 229, nativeEvent: { isComposing: false } },
      true,
    ],
  ])('handles %s', (_name, event, expected) => {
    expect(isComposing(event)).toBe(expected);
  });
});
