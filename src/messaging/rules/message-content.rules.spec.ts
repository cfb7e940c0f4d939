import { translate } from '../../common/i18n/catalogue';
import { ZH_CN } from '../../common/i18n/zh-cn';
import { contentHash, contentProblem, isValidExtra } from './message-content.rules';

const hash = (extra?: Record<string, unknown>, content = 'x', type: 'text' | 'image' = 'text'): string =>
  contentHash({ type, content, extra });

describe('isValidExtra', () => {
  it.each([
    ['audio', [], true],
    ['audio', [0, 100], true],
    ['audio', Array.from({ length: 100 }, () => 7), true],
    ['audio', Array.from({ length: 101 }, () => 7), false],
    ['audio', [-1], false],
    ['audio', [101], false],
    ['audio', [0.5], false],
    ['audio', ['1'], false],
    ['audio', 'AQID', false],
    ['audio', null, false],
    ['audio', undefined, true],
    ['file', [101], true],
    ['text', 'AQID', true],
  ])('returns for %s with the waveform %j: %s', (type, waveform, expected) => {
    expect(isValidExtra(type, { waveform })).toBe(expected);
  });
});

describe('Message content', () => {
  it.each([
    ['location', '0,0', undefined],
    ['location', '90,180', undefined],
    ['location', '-90.000,-180.0', undefined],
    ['location', '39.9087243,116.3974799', undefined],
    ['location', '90.0001,0', '取值无效'],
    ['location', '0,180.0001', '取值无效'],
    ['location', '0, 0', '取值无效'],
    ['location', '0,0,0', '取值无效'],
    ['location', '.5,1.', '取值无效'],
    ['location', '1e1,1', '取值无效'],
    ['location', '+1,1', '取值无效'],
    ['location', '', '字段不能为空'],
    ['text', ' ', '字段不能为空'],
    ['text', '😀'.repeat(5000), undefined],
    ['text', '😀'.repeat(5001), '长度不能超过 5000 个字符'],
    ['image', 'https://x.test/a b', undefined],
    ['image', 'https://', '取值无效'],
    ['file', 'data:text/plain,x', '取值无效'],
  ])('is checked for %s %.20s: %s', (type, content, problem) => {
    const found = contentProblem(type, content);
    expect(found && translate(ZH_CN, found)).toBe(problem);
  });

  it('has a hash that depends on every value, but not on the key order of extra', () => {
    expect(hash({ a: 1, b: { c: [1, 2], d: null } })).toBe(hash({ b: { d: null, c: [1, 2] }, a: 1 }));
    const different = [
      hash(),
      hash({}),
      hash({ a: 1 }),
      hash({ a: '1' }),
      hash({ a: [1, 2] }),
      hash({ a: [2, 1] }),
    ];
    different.push(hash(undefined, 'y'), hash(undefined, 'x', 'image'));
    expect(new Set(different).size).toBe(8);
    expect(hash()).toHaveLength(43);
  });

  it('has the hash of earlier versions without reply, mentions and forward', () => {
    const before = 'Fcm5ouyWcoyhdW1PO4lPCS0xNvrQ-ADT03se4vynm-U';
    expect(contentHash({ type: 'text', content: 'x', mentions: [], mention_all: false })).toBe(hash());
    expect(hash()).toBe(before);
  });

  it('has a hash that depends on reply, mentions and forward, but not on the order of mentions', () => {
    const sent = { type: 'text', content: 'x' } as const;
    const different = [
      sent,
      { ...sent, reply_to_id: 1 },
      { ...sent, reply_to_id: 2 },
      { ...sent, mentions: [1] },
      { ...sent, mentions: [1, 2] },
      { ...sent, mention_all: true },
      { forward_id: 1 },
      { forward_id: 2 },
      { forward_id: 1, reply_to_id: 1 },
      { ...sent, extra: { reply_to_id: 1 } },
    ].map(contentHash);
    expect(new Set(different).size).toBe(10);
    expect(contentHash({ ...sent, mentions: [10, 9, 2, 9] })).toBe(
      contentHash({ ...sent, mentions: [2, 9, 10] }),
    );
    expect(contentHash({ ...sent, extra: { a: 1 }, forward_id: 1 })).toBe(contentHash({ forward_id: 1 }));
  });

  it('has different hashes for keys such as __proto__ and constructor', () => {
    const extras = [
      '{}',
      '{"__proto__":1}',
      '{"__proto__":{"a":1}}',
      '{"__proto__":{"a":2}}',
      '{"constructor":{"a":1}}',
      '{"x":{"__proto__":{"a":1}}}',
      '{"x":[{"constructor":{"a":1}}]}',
      '{"x":[{}]}',
    ];
    const hashes = extras.map((text) => hash(JSON.parse(text) as Record<string, unknown>));
    expect(new Set(hashes).size).toBe(8);
  });
});
