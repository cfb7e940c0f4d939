import { containsAll, searchedText, searchedTypes } from './searched-text.rules';

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
    [undefined, ['attachment' as const, 'link' as const], []],
  ])('returns for type %j and has %j %j', (type, has, types) => {
    expect(searchedTypes(type, has)).toEqual(types);
  });
});

describe('containsAll', () => {
  it('finds links in texts', () => {
    const text = (content: string) => containsAll({ type: 'text', content, extra: null }, ['link']);
    expect([text('see HTTPS://a.example'), text('http:// '), text('a.example')]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
