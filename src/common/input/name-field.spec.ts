import { checkUrl } from './fields';
import { checkName } from './name-field';

describe('checkName', () => {
  it.each([
    ['李雷', undefined],
    ['\u200B\u3164', 'required'],
    ['\n', 'required'],
    ['\0', 'invalid'],
    ['李\n雷', 'invalid'],
    ['invoice\u202Egnp.exe', 'invalid'],
    [7, 'notAString'],
  ])('returns for %j the violation %s', (name, problem) => {
    expect(checkName(name, 20)).toBe(problem);
  });
});

describe('checkUrl', () => {
  it.each([
    'https://a.example/\n',
    'https://a.ex\tample/',
    'https://a.example/\u202E',
    'https://a.example/\u0000',
  ])('rejects %j, although parsers ignore these characters', (url) => {
    expect(checkUrl(url, 100)).toBe('invalid');
  });

  it('accepts letters of any script', () => {
    expect(checkUrl('https://例子.example/图片', 100)).toBeUndefined();
  });
});
