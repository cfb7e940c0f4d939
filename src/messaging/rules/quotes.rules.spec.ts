import type { MessageId, UserId } from '../../common/ids';
import { EN } from '../../common/i18n/en';
import { ZH_CN } from '../../common/i18n/zh-cn';
import { type Quoted, quoteOf } from './quotes.rules';

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
