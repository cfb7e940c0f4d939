import { EN } from '../../common/i18n/en';
import { ZH_CN } from '../../common/i18n/zh-cn';
import type { MessageId, UserId } from '../../common/ids';
import { displayOf, type Quoted, quoteOf } from './message-display.rules';

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

const message: Quoted = {
  id: 7 as MessageId,
  sender_id: 2 as UserId,
  sender_name: 'Ben',
  type: 'text',
  content: 'hello',
  extra: null,
  is_recalled: false,
};

describe('quoteOf', () => {
  it('returns the sender and the text', () => {
    expect(quoteOf(message, ZH_CN)).toEqual({
      id: 7,
      sender_id: 2,
      sender_name: 'Ben',
      type: 'text',
      display_content: 'hello',
      is_recalled: false,
    });
  });

  it.each([
    ['x'.repeat(100), 'x'.repeat(100)],
    ['x'.repeat(101), 'x'.repeat(100)],
    ['😀'.repeat(100), '😀'.repeat(100)],
    [`x${'😀'.repeat(5000)}`, `x${'😀'.repeat(99)}`],
    ['👩‍👩‍👧', '👩‍👩‍👧'],
  ])('cuts the text at 100 characters without an ellipsis: %#', (content, shown) => {
    expect(quoteOf({ ...message, content }, ZH_CN).display_content).toBe(shown);
  });

  it('returns a label for other types than text', () => {
    const file: Quoted = { ...message, type: 'file', content: 'https://x.test/a', extra: { name: 'a.pdf' } };
    expect(quoteOf(file, ZH_CN).display_content).toBe('[文件] a.pdf');
    expect(quoteOf({ ...file, extra: { name: 'a'.repeat(4000) } }, EN).display_content).toBe(
      `[File] ${'a'.repeat(93)}`,
    );
  });

  it('returns only the recall of a recalled message', () => {
    const recalled = { ...message, content: '', is_recalled: true };
    expect(quoteOf(recalled, ZH_CN)).toMatchObject({ display_content: '消息已撤回', is_recalled: true });
    expect(quoteOf(recalled, EN)).toMatchObject({ display_content: 'Recalled message' });
  });
});
