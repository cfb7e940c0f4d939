import { countSent } from './conversation-activity.rules';

describe('countSent', () => {
  it('counts messages by day, oldest first, and by sender, the most messages first', () => {
    const sent = [
      { sender_id: 3, created_at: new Date('2026-02-01T10:00:00Z') },
      { sender_id: 2, created_at: new Date('2026-01-31T10:00:00Z') },
      { sender_id: 9, created_at: new Date('2026-01-31T11:00:00Z') },
      { sender_id: 9, created_at: new Date('2026-02-01T11:00:00Z') },
    ];
    expect(countSent(sent, (moment) => moment.toISOString().slice(0, 10))).toEqual({
      days: [
        { day: '2026-01-31', messages: 2 },
        { day: '2026-02-01', messages: 2 },
      ],
      senders: [
        { user_id: 9, messages: 2 },
        { user_id: 2, messages: 1 },
        { user_id: 3, messages: 1 },
      ],
    });
  });

  it('returns empty lists without messages', () => {
    expect(countSent([], () => '2026-01-31')).toEqual({ days: [], senders: [] });
  });
});
