import { kindOf } from './file-types.rules';

describe('kindOf', () => {
  it.each([
    ['image', 'image/jpeg', 'image/jpeg', 'jpg'],
    ['image', 'image/gif', 'image/gif', 'gif'],
    ['audio', 'audio/ogg; codecs=opus', 'audio/ogg', 'ogg'],
    ['audio', 'video/webm', 'audio/webm', 'webm'],
    ['audio', 'video/mp4', 'audio/mp4', 'm4a'],
    ['video', 'video/quicktime', 'video/quicktime', 'mov'],
  ] as const)('accepts as %s the bytes of %s', (wanted, sniffed, mimeType, extension) => {
    expect(kindOf(wanted, sniffed, 'page.html')).toEqual({ type: wanted, mimeType, extension });
  });

  it.each([
    ['image', 'application/xml'],
    ['image', 'image/svg+xml'],
    ['image', 'image/avif'],
    ['image', undefined],
    ['audio', 'audio/midi'],
    ['video', 'audio/mpeg'],
    ['video', 'text/html'],
  ] as const)('rejects as %s the bytes of %s', (wanted, sniffed) => {
    expect(kindOf(wanted, sniffed, 'a.jpg')).toBeUndefined();
  });

  it('makes a file of a HEIC picture', () => {
    expect(kindOf('image', 'image/heic', 'IMG_1.HEIC')).toEqual({
      type: 'file',
      mimeType: 'image/heic',
      extension: 'heic',
    });
  });

  it.each([
    ['report.PDF', 'application/pdf', 'pdf'],
    ['archive.tar.gz', undefined, 'gz'],
    ['no extension', undefined, 'bin'],
    ['a.<script>', undefined, 'bin'],
  ])('takes the extension of the file %s from its name', (name, sniffed, extension) => {
    expect(kindOf('file', sniffed, name)).toEqual({ type: 'file', mimeType: sniffed ?? null, extension });
  });
});
