import { expiryOf, signedPath, verified } from './signed-url.rules';

const SECRET = 'a secret of the test';
const WINDOW = 3_600;
const NOW = new Date('2026-01-31T08:20:00.000Z');

/** Returns the file and the query of a path. */
function partsOf(path: string): [file: string, query: Record<string, string>] {
  const url = new URL(path, 'http://x');
  return [url.pathname.slice('/files/'.length), Object.fromEntries(url.searchParams)];
}

describe('signed URLs of files', () => {
  const path = signedPath({ file: '12.jpg', variant: 'thumbnail', expires: expiryOf(NOW, WINDOW) }, SECRET);
  const [file, query] = partsOf(path);
  const check = (changes: Record<string, string>, changedFile = file, now = NOW) =>
    verified(changedFile, { ...query, ...changes }, { secret: SECRET, now });

  it('are valid for once to twice the window', () => {
    expect(expiryOf(NOW, WINDOW)).toBe(Date.parse('2026-01-31T10:00:00.000Z') / 1000);
    expect(expiryOf(new Date('2026-01-31T08:59:59.999Z'), WINDOW)).toBe(expiryOf(NOW, WINDOW));
    expect(check({}, file, new Date('2026-01-31T09:59:59.999Z'))).toEqual({
      file: '12.jpg',
      variant: 'thumbnail',
      expires: Date.parse('2026-01-31T10:00:00.000Z') / 1000,
    });
    expect(check({}, file, new Date('2026-01-31T10:00:00.000Z'))).toBeUndefined();
  });

  it('stay the same within a window', () => {
    const later = expiryOf(new Date('2026-01-31T08:59:59.999Z'), WINDOW);
    expect(signedPath({ file: '12.jpg', variant: 'thumbnail', expires: later }, SECRET)).toBe(path);
  });

  it.each([
    ['another file', {}, '13.jpg'],
    ['another extension', {}, '12.html'],
    ['another variant', { variant: 'file' }, undefined],
    ['an unknown variant', { variant: 'x' }, undefined],
    ['a later expiry', { expires: '9999999999' }, undefined],
    ['an expiry that is no number', { expires: '1e9' }, undefined],
    ['another signature', { signature: 'A'.repeat(43) }, undefined],
    ['a shorter signature', { signature: 'A' }, undefined],
  ])('are rejected with %s', (_, changes, changedFile) => {
    expect(check(changes, changedFile)).toBeUndefined();
  });

  it('of avatars do not expire', () => {
    const [avatar, signed] = partsOf(
      signedPath({ file: '12.jpg', variant: 'avatar', expires: null }, SECRET),
    );
    const far = { secret: SECRET, now: new Date('2036-01-31T08:20:00.000Z') };
    expect(verified(avatar, signed, far)).toEqual({ file: '12.jpg', variant: 'avatar', expires: null });
    expect(verified(avatar, { ...signed, expires: '9999999999' }, far)).toBeUndefined();
    expect(verified(avatar, { ...signed, variant: 'file' }, far)).toBeUndefined();
    expect(verified(file, { ...query, expires: undefined }, far)).toBeUndefined();
  });

  it('are rejected with another secret, or without a query', () => {
    expect(verified(file, query, { secret: 'another', now: NOW })).toBeUndefined();
    expect(verified(file, {}, { secret: SECRET, now: NOW })).toBeUndefined();
  });
});
