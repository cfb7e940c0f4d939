import { applyToMessages, type Message, type UserEvent } from '../src/index.js';

describe('applyToMessages', () => {
  const created = (id: number) =>
    ({ type: 'message.created', conversation_id: 3, message: { id } }) as UserEvent;
  const apply = (ids: number[], event: UserEvent): number[] =>
    applyToMessages(
      ids.map((id) => ({ id }) as Message),
      event,
      { conversationId: 3, userId: 7, isGroup: true },
    ).map(({ id }) => id);

  it.each([
    ['the newest', 12, [12, 11, 9]],
    ['one before a message whose send returned first', 10, [11, 10, 9]],
    ['the oldest', 8, [11, 9, 8]],
    ['one that the list contains', 9, [11, 9]],
  ])('inserts a new message by its id: %s', (_, id, expected) => {
    expect(apply([11, 9], created(id))).toEqual(expected);
  });
});
