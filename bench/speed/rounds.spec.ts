import { TARGETS } from './rounds';
import { titleOf } from './scenario';
import { SCENARIOS } from './scenarios';

describe('TARGETS', () => {
  it('has a minimum ratio for every scenario', () => {
    const compared = SCENARIOS.filter(({ isCpuOnly }) => !isCpuOnly);
    const targets = compared.map((scenario) => [titleOf(scenario), TARGETS.ratio(titleOf(scenario))]);
    expect(targets).toEqual([
      ['notifications: unread count', 0.9],
      ['notifications: page 1', 0.85],
      ['notifications: a deep page', 0.85],
      ['notifications: page 1, type', 0.85],
      ['notifications: page 1, is_read', 0.85],
      ['notifications: page 1, type and is_read', 0.85],
      ['notifications: a deep page, type', 0.85],
      ['notifications: a deep page, is_read', 0.85],
      ['notifications: a deep page, type and is_read', 0.85],
      ['notifications: any page', 0.85],
      ['notifications: any page, is_read', 0.85],
      ['notifications: mark one read', 0.85],
      ['notifications: mark all read', 0.85],
      ['messaging: conversations, page 1', 0.8],
      ['messaging: history, page 1', 0.85],
      ['messaging: history, a deep page', 0.85],
      ['messaging: history of the largest group', 0.85],
      ['messaging: send to a single chat', 0.85],
      ['messaging: send to a group of 50', 0.85],
      ['messaging: send to the largest group', 0.85],
      ['messaging: one account to its 2,000 chats', 0.5],
      ['messaging: one account to a group of 50', 0.35],
      ['messaging: send to many groups', 0.85],
      ['device-groups: list, page 1', 0.85],
      ['device-groups: tree (brotli)', 0.85],
      ['device-groups: tree, unchanged (304)', 0.9],
      ['calls: call, accept, hang up', 0.85],
    ]);
    expect(TARGETS.p99).toBe(1.25);
  });

  it('throws for an unknown scenario', () => {
    expect(() => TARGETS.ratio('weather: today')).toThrow('No target is set for weather: today');
  });
});
