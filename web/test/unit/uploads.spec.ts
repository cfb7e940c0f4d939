import { toMessages, toUploadType } from '../../src/app/chat/uploads/upload';
import { formatBytes } from '../../src/app/chat/uploads/format-bytes';
import { toLevels } from '../../src/app/chat/voice/levels';

describe('Attached files of the web client', () => {
  it.each([
    ['image/jpeg', 'image'],
    ['image/heic', 'file'],
    ['image/svg+xml', 'file'],
    ['video/quicktime', 'video'],
    ['video/x-matroska', 'file'],
    ['audio/webm;codecs=opus', 'audio'],
    ['application/pdf', 'file'],
    ['', 'file'],
  ])('of the media type %p are sent as %s', (mediaType, type) => {
    expect(toUploadType(mediaType)).toBe(type);
  });

  it('are sent as albums of ten pictures or videos, other files one by one, in their order', () => {
    const types = [
      ...Array<'image'>(11).fill('image'),
      'video',
      'video',
      'file',
      'file',
      'audio',
      'image',
    ] as const;
    const messages = toMessages(types.map((type) => ({ type })));
    expect(messages.map((parts) => `${parts.length} ${parts[0]?.type}`)).toEqual([
      '10 image',
      '1 image',
      '2 video',
      '1 file',
      '1 file',
      '1 audio',
      '1 image',
    ]);
  });

  it('have sizes in readable units', () => {
    expect([0, 1023, 1536, 104_857_600].map((bytes) => formatBytes(bytes, String))).toEqual([
      '0 B',
      '1023 B',
      '1.5 KB',
      '100 MB',
    ]);
  });
});

describe('Waveforms of voice messages', () => {
  it('have the loudest sample of each part, as at most 100 integers from 0 to 100', () => {
    expect(toLevels([])).toEqual([]);
    expect(toLevels([0, 0.5, 1.2])).toEqual([0, 50, 100]);
    const levels = toLevels(Array.from({ length: 250 }, (_, index) => index / 250));
    expect(levels).toHaveLength(100);
    expect([levels[0], levels[50], levels[99]]).toEqual([0, 50, 100]);
  });
});
