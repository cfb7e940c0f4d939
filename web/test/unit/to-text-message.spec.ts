import { toTextMessage } from '../../src/app/chat/composer/to-text-message';

describe('toTextMessage', () => {
  const [ann, anna, otherAnn] = [
    { id: 1, name: 'Ann' },
    { id: 2, name: 'Anna' },
    { id: 3, name: 'Ann' },
  ];
  const mentionsIn = (text: string, mentions: { id: number | null; name: string }[]) =>
    toTextMessage({ text, mentions, replyTo: null }).mentions?.toSorted();

  it('mentions the members whose names are in the text', () => {
    expect(mentionsIn('@Ann and @Anna', [ann, anna])).toEqual([1, 2]);
    expect(mentionsIn('@Anna and @Ann', [ann, anna])).toEqual([1, 2]);
  });

  it('does not mention a member whose name was removed and is the prefix of another name', () => {
    expect(mentionsIn('@Anna', [ann, anna])).toEqual([2]);
  });

  it('mentions each of two members of the same name', () => {
    expect(mentionsIn('@Ann @Ann', [ann, otherAnn])).toEqual([1, 3]);
  });

  it('does not join the texts around a name to another name', () => {
    expect(mentionsIn('@A@Annnn', [ann, otherAnn])).toEqual([1]);
  });

  it('mentions all members only while the text names them', () => {
    const everyone = { id: null, name: 'everyone' };
    const convert = (text: string) => toTextMessage({ text, mentions: [everyone], replyTo: null });
    expect(convert('@everyone: lunch')).toEqual({
      type: 'text',
      content: '@everyone: lunch',
      mention_all: true,
    });
    expect(convert('lunch')).toEqual({ type: 'text', content: 'lunch' });
  });
});
