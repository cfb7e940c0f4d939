import { doesMention, keptMentions, mayMentionAll, mentionsIn, storedMentions } from './mentions.rules';

describe('Mentions', () => {
  it.each([
    [{ mentions: [], mention_all: false }, null],
    [{ mentions: [7, 2], mention_all: false }, '[7,2]'],
    [{ mentions: [], mention_all: true }, '[0]'],
    [{ mentions: [7, 2], mention_all: true }, '[0,7,2]'],
  ])('%j are stored as %s', (mentions, stored) => {
    expect(storedMentions(mentions)).toBe(stored);
    expect(mentionsIn(stored)).toEqual(mentions);
  });

  it('contain each member once, without the sender', () => {
    const members = new Set([1, 2, 3]);
    expect(keptMentions([3, 9, 1, 2, 3], 1, (id) => members.has(id))).toEqual([3, 2]);
  });

  it.each([
    ['a user who is mentioned', 2, [2], false, true],
    ['no other user', 3, [2], false, false],
    ['every member with mention_all', 3, [], true, true],
    ['no sender, also with mention_all', 1, [2], true, false],
  ])('apply to %s', (_, user, mentions, mention_all, concerned) => {
    expect(doesMention({ sender_id: 1, mentions, mention_all }, user)).toBe(concerned);
  });

  it.each([
    [200, 'member', true],
    [201, 'member', false],
    [201, 'owner', true],
    [5000, 'owner', true],
  ])('of all %d members are allowed to the %s: %s', (member_count, role, open) => {
    expect(mayMentionAll({ member_count, role })).toBe(open);
  });
});
