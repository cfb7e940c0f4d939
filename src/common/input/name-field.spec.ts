import { checkUrl } from './fields';
import { checkName } from './name-field';

describe('A name', () => {
  it.each([
    ['李雷', undefined],
    ['\u200B\u3164', '字段不能为空'],
    ['\n', '字段不能为空'],
    ['李\n雷', '取值无效'],
    ['invoice\u202Egnp.exe', '取值无效'],
    [7, '必须是字符串'],
  ])('such as %j is judged: %s', (name, problem) => {
    expect(checkName(name, 20)).toBe(problem);
  });
});

describe('A URL', () => {
  it.each([
    'https://a.example/\n',
    'https://a.ex\tample/',
    'https://a.example/\u202E',
    'https://a.example/\u0000',
  ])('such as %j is 取值无效, though parsers drop what is wrong with it', (url) => {
    expect(checkUrl(url, 100)).toBe('取值无效');
  });

  it('may have letters of any script', () => {
    expect(checkUrl('https://例子.example/图片', 100)).toBeUndefined();
  });
});
