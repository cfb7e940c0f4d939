import { parseMarkdown } from '../../src/app/chat/message/markdown';

describe('Markdown of messages', () => {
  const lineOf = (text: string): unknown => {
    const [block, ...others] = parseMarkdown(text);
    expect(others).toEqual([]);
    return block?.kind === 'paragraph' ? block.children : block;
  };
  const link = (url: string, label = url) => ({ kind: 'link', url, children: [label] });

  it.each([
    ['plain', ['plain']],
    ['', []],
    ['a **b** c', ['a ', { kind: 'strong', children: ['b'] }, ' c']],
    ['这是**重要**的', ['这是', { kind: 'strong', children: ['重要'] }, '的']],
    ['这是*重要*的', ['这是', { kind: 'emphasis', children: ['重要'] }, '的']],
    [
      '_so_ and *so*',
      [{ kind: 'emphasis', children: ['so'] }, ' and ', { kind: 'emphasis', children: ['so'] }],
    ],
    ['***both***', [{ kind: 'strong', children: [{ kind: 'emphasis', children: ['both'] }] }]],
    ['run `a ** b`', ['run ', { kind: 'code', text: 'a ** b' }]],
  ])('is parsed in %p', (text, expected) => {
    expect(lineOf(text)).toEqual(expected);
  });

  it.each([
    '2 * 3 * 4 = 24',
    '2*3*4',
    'client_msg_id',
    'a ** b ** c',
    '**not closed',
    'one `tick',
    '**over\ntwo lines**',
    '<b>not HTML</b>',
    '[label](javascript:alert(1))',
    '```not a block```x',
  ])('is absent from %p', (text) => {
    expect(lineOf(text)).toEqual([text]);
  });

  it('contains links with and without a label, without the punctuation of the sentence', () => {
    expect(lineOf('see https://example.com/a_b_c?x=1&y=*2.')).toEqual([
      'see ',
      link('https://example.com/a_b_c?x=1&y=*2'),
      '.',
    ]);
    expect(lineOf('看https://example.com/，很好')).toEqual(['看', link('https://example.com/'), '，很好']);
    expect(lineOf('[the page](https://example.com/b)')).toEqual([link('https://example.com/b', 'the page')]);
    expect(lineOf('**https://example.com/c**')).toEqual([
      { kind: 'strong', children: [link('https://example.com/c')] },
    ]);
  });

  it('contains blocks of code, in which marks are text', () => {
    expect(parseMarkdown('before\n```ts\nconst a = **1**;\n\n  b();\n```\nafter')).toEqual([
      { kind: 'paragraph', children: ['before'] },
      { kind: 'code', text: 'const a = **1**;\n\n  b();' },
      { kind: 'paragraph', children: ['after'] },
    ]);
    expect(parseMarkdown('```\none\n```')).toEqual([{ kind: 'code', text: 'one' }]);
  });
});
