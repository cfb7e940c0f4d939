import { displayOf } from './message-display.rules';

const shown = (
  type: 'text' | 'image' | 'file' | 'audio' | 'video' | 'location',
  extra: object | null,
): string =>
  displayOf(
    { type, content: 'as sent', extra: extra as never, is_recalled: false },
    { is_self: false, name: 'Ann' },
  );

describe('displayOf', () => {
  it.each([
    ['text', { name: 'x' }, 'as sent'],
    ['image', { name: 'x' }, '[图片]'],
    ['file', { name: 'plan.pdf' }, '[文件] plan.pdf'],
    ['file', { name: '  ' }, '[文件]'],
    ['file', { name: { a: 1 } }, '[文件]'],
    ['file', null, '[文件]'],
    ['audio', { duration: 12.5 }, '[语音] 12.5"'],
    ['audio', { duration: '12' }, '[语音] 12"'],
    ['audio', { duration: 0 }, '[语音] 0"'],
    ['audio', { duration: null }, '[语音]'],
    ['video', { duration: 3 }, '[视频]'],
    ['location', { title: 'Home' }, '[位置] Home'],
    ['location', {}, '[位置]'],
  ] as const)('renders %s with %j', (type, extra, expected) => {
    expect(shown(type, extra)).toBe(expected);
  });

  it('names the user who recalled the message', () => {
    const message = { type: 'image' as const, content: '', extra: null, is_recalled: true };
    expect(displayOf(message, { is_self: true, name: 'Ann' })).toBe('你撤回了一条消息');
    expect(displayOf(message, { is_self: false, name: 'Ann' })).toBe('Ann撤回了一条消息');
    expect(displayOf(message, { is_self: false, name: null })).toBe('撤回了一条消息');
  });
});
