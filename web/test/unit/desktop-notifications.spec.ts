import type { UserEvent } from '@callboard/client';
import type { TFunction } from 'i18next';
import { toDesktopNotification } from '../../src/app/attention/desktop-notification';
import { type Dismissal, toDismissal } from '../../src/app/attention/dismissal';
import { PendingNotifications } from '../../src/app/attention/pending-notifications';

let now = 0;
// Both need a connection to a service.
jest.mock('../../src/app/chat/service-clock', () => ({ serviceNow: () => now }));
jest.mock('../../src/app/notifications/notification-text', () => ({}));

describe('toDesktopNotification', () => {
  const ringing = {
    type: 'call.ringing',
    call: {
      call_id: 7,
      direction: 'incoming',
      media_type: 'audio',
      caller: { name: 'Bob' },
      ring_expires_at: '2026-11-24T13:01:00.000Z',
    },
  } as UserEvent;
  const toNotification = (time: string) => {
    now = Date.parse(time);
    const lookups = {
      getConversation: () => Promise.reject(new Error('Not needed')),
      getName: async () => undefined,
    };
    return toDesktopNotification(ringing, lookups, ((key: string) => key) as unknown as TFunction<'client'>);
  };

  it('returns the notification of a call that rings', async () => {
    expect(await toNotification('2026-11-24T13:00:30.000Z')).toMatchObject({ tag: 'call:7', title: 'Bob' });
  });

  it('returns undefined for a call whose ringing time has passed', async () => {
    expect(await toNotification('2026-11-24T13:01:00.000Z')).toBeUndefined();
  });
});

describe('toDismissal', () => {
  const shown = [
    { tag: 'conversation:3', id: 10 },
    { tag: 'notification:4', id: 4 },
    { tag: 'notification:5', id: 5 },
  ];
  const recalled = (id: number) => ({ type: 'message.recalled', conversation_id: 3, message: { id } });
  const allRead = (unread_count: number) => ({ type: 'notification.all_read', unread_count });

  it.each([
    ['a recall of the shown message', recalled(10), ['conversation:3']],
    ['a recall of an older message', recalled(9), []],
    [
      'the deletion of the shown message',
      { type: 'message.deleted', conversation_id: 3, message_id: 10 },
      ['conversation:3'],
    ],
    ['reading all notifications', allRead(0), ['notification:4', 'notification:5']],
    ['reading all notifications of one type', allRead(1), []],
  ])('matches the notifications that are made obsolete by %s', (_, event, expected) => {
    const dismissal = toDismissal(event as UserEvent) ?? (() => false);
    expect(shown.filter(dismissal).map(({ tag }) => tag)).toEqual(expected);
  });
});

describe('PendingNotifications', () => {
  it('reports a dismissed tag to the pending notifications, not to later ones', async () => {
    const pending = new PendingNotifications();
    const released = Promise.withResolvers<void>();
    const results: boolean[] = [];
    const show = async (isDismissed: Dismissal): Promise<void> => {
      await released.promise;
      results.push(isDismissed({ tag: 'call:7' }), isDismissed({ tag: 'call:8' }));
    };
    const first = pending.prepare(show);
    pending.dismiss(({ tag }) => tag === 'call:7');
    const second = pending.prepare(show);
    released.resolve();
    await Promise.all([first, second]);
    expect(results).toEqual([true, false, false, false]);
  });
});
