import { isOlder } from './node-version';

describe('The version of Node', () => {
  it.each([
    ['20.20.2', '22.13', true],
    ['22.12.9', '22.13', true],
    ['22.13.0', '22.13', false],
    ['22.14.1', '22.13', false],
    ['24.1.0', '22.13', false],
    ['9.30.0', '22.13', true],
  ])('%s, where %s is the least, is too old: %s', (version, least, tooOld) => {
    expect(isOlder(version, least)).toBe(tooOld);
  });
});
