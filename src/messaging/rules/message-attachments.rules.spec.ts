import { areSendableAs, extraWith } from './message-attachments.rules';

describe('areSendableAs', () => {
  it.each([
    ['image', ['image'], true],
    ['image', ['image', 'image'], true],
    ['video', ['video', 'video'], true],
    ['file', ['file'], true],
    ['file', ['file', 'file'], false],
    ['audio', ['audio', 'audio'], false],
    ['image', ['image', 'video'], false],
    ['text', ['image'], false],
    [undefined, ['image'], false],
  ] as const)('returns for %s with %j: %s', (type, types, expected) => {
    expect(
      areSendableAs(
        type,
        types.map((of) => ({ type: of })),
      ),
    ).toBe(expected);
  });
});

describe('extraWith', () => {
  const photo = {
    id: 1,
    type: 'image',
    name: 'a.jpg',
    extension: 'jpg',
    size: 9,
    mime_type: 'image/jpeg',
    width: 2,
    height: 1,
    duration: null,
    preview: 'data:',
    has_thumbnail: true,
  } as const;

  it('adds what is known, and keeps what only the client knows', () => {
    expect(extraWith({ name: 'other', duration: 3, waveform: [1] }, photo)).toEqual({
      name: 'a.jpg',
      size: 9,
      mime_type: 'image/jpeg',
      width: 2,
      height: 1,
      duration: 3,
      waveform: [1],
    });
    expect(extraWith(null, photo)).toMatchObject({ name: 'a.jpg' });
    expect(extraWith(null, { ...photo, poster: { ...photo, id: 2 } })).toMatchObject({
      poster_attachment_id: 2,
    });
  });
});
