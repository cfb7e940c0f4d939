import { exceededJsonLimit } from './json-limits';

const limitOf = (text: string): string | undefined => exceededJsonLimit(Buffer.from(text));

describe('exceededJsonLimit', () => {
  it.each([
    ['19,999 numbers in an array', `[${'7,'.repeat(19_998)}7]`, undefined],
    ['20,000 numbers in an array', `[${'7,'.repeat(19_999)}7]`, 'tokens'],
    ['9,999 keys with their values', `{${'"k":"v",'.repeat(9_998)}"k":"v"}`, undefined],
    ['10,000 keys with their values', `{${'"k" : null ,'.repeat(9_999)}"k":1}`, 'tokens'],
    ['19,999 arrays beside each other', `[${'[],'.repeat(19_998)}[]]`, undefined],
    ['20,000 objects beside each other', `[${'{}\n,'.repeat(19_999)}{}]`, 'tokens'],
    ['64 levels', `${'['.repeat(64)}${']'.repeat(64)}`, undefined],
    [
      '64 levels twice',
      `[${['', ''].map(() => `${'{"a":'.repeat(63)}1${'}'.repeat(63)}`).join()}]`,
      undefined,
    ],
    ['65 levels', `${'[{"a":'.repeat(32)}[]${'}]'.repeat(32)}`, 'depth'],
    ['65 unclosed brackets', '['.repeat(65), 'depth'],
    ['a string of brackets, quotes and backslashes', `["${'[{,:\\"\\\\'.repeat(10_000)}"]`, undefined],
    ['brackets after a string that ends with a backslash', `["\\\\",${'['.repeat(64)}`, 'depth'],
    ['an unterminated string', `"${'7,'.repeat(30_000)}\\`, undefined],
    ['one long number', '7'.repeat(100_000), undefined],
    ['an empty body', '', undefined],
    ['invalid JSON', ']]]]}}}}hello', undefined],
    ['strings in other scripts', '["ключ","钥匙","🔑"]', undefined],
  ])('returns for %s: %.0s%s', (_, text, limit) => {
    expect(limitOf(text)).toBe(limit);
  });
});
