import { containsAny, searchedText, searchedTypes } from './searched-text.rules';

describe('searchedText', () => {
  it.each([
    [{ type: 'text' as const, content: 'Hello', extra: null }, 'Hello'],
    [{ type: 'file' as const, content: 'https://a.example/x', extra: '{"name":"Plan.pdf"}' }, 'Plan.pdf'],
    [{ type: 'location' as const, content: '31.2,121.4', extra: '{"title":"Station"}' }, 'Station'],
    [{ type: 'file' as const, content: 'https://a.example/x', extra: '{"name":7}' }, undefined],
    [{ type: 'file' as const, content: 'https://a.example/x', extra: null }, undefined],
    [{ type: 'image' as const, content: 'https://a.example/x', extra: '{"name":"x"}' }, undefined],
  ])('returns of %j %j', (message, text) => {
    expect(searchedText(message)).toBe(text);
  });
});

describe('searchedTypes', () => {
  it.each([
    [undefined, [], ['text', 'file', 'location']],
    ['file' as const, [], ['file']],
    ['image' as const, [], []],
    [undefined, ['attachment' as const], ['file']],
    [undefined, ['link' as const], ['text']],
    [undefined, ['attachment' as const, 'link' as const], ['text', 'file']],
    ['location' as const, ['attachment' as const, 'link' as const], []],
  ])('returns for type %j and has %j %j', (type, has, types) => {
    expect(searchedTypes(type, has)).toEqual(types);
  });
});

describe('containsAny', () => {
  it.each([
    ['text' as const, 'see http://a.example', true],
    ['text' as const, 'see', false],
    ['file' as const, 'http://a.example/b.pdf', true],
  ])('of attachments and links returns for %s %j: %s', (type, content, expected) => {
    expect(containsAny({ type, content, extra: null }, ['attachment', 'link'])).toBe(expected);
  });

  it('finds links in texts', () => {
    const text = (content: string) => containsAny({ type: 'text', content, extra: null }, ['link']);
    expect([text('see HTTPS://a.example'), text('http:// '), text('a.example')]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
