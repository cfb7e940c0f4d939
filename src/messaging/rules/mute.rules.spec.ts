import { endsTooEarly, isMuted, type Mute, muteAfter, type MuteRequest } from './mute.rules';

const NOW = new Date('2026-01-31T08:00:00.000Z');
const LATER = new Date('2026-01-31T08:00:00.001Z');
const EARLIER = new Date('2026-01-31T07:59:59.999Z');

const OFF: Mute = { muted: false, mute_until: null };
const FOR_GOOD: Mute = { muted: true, mute_until: null };
const UNTIL_LATER: Mute = { muted: true, mute_until: LATER };

describe('A muted conversation', () => {
  it.each([
    ['not muted', OFF, false],
    ['muted for good', FOR_GOOD, true],
    ['muted until later', UNTIL_LATER, true],
    ['muted until now', { muted: true, mute_until: NOW }, false],
    ['muted until before', { muted: true, mute_until: EARLIER }, false],
  ])('%s', (_, mute, expected) => {
    expect(isMuted(mute, NOW)).toBe(expected);
  });

  it.each<[string, Mute, MuteRequest, Mute]>([
    ['nothing sent', UNTIL_LATER, {}, UNTIL_LATER],
    ['muted', OFF, { muted: true }, FOR_GOOD],
    ['muted, with an end before', UNTIL_LATER, { muted: true }, FOR_GOOD],
    ['not muted', FOR_GOOD, { muted: false }, OFF],
    ['not muted, with an end before', UNTIL_LATER, { muted: false }, OFF],
    ['an end', OFF, { mute_until: LATER }, UNTIL_LATER],
    ['an end instead of for good', FOR_GOOD, { mute_until: LATER }, UNTIL_LATER],
    ['an end goes before muted', OFF, { muted: false, mute_until: LATER }, UNTIL_LATER],
    ['no end any more', UNTIL_LATER, { mute_until: null }, OFF],
    ['no end, where it was for good', FOR_GOOD, { mute_until: null }, FOR_GOOD],
    ['no end, where it was not', OFF, { mute_until: null }, OFF],
    ['muted, with no end', UNTIL_LATER, { muted: true, mute_until: null }, FOR_GOOD],
    ['not muted, with no end', FOR_GOOD, { muted: false, mute_until: null }, OFF],
  ])('after %s', (_, before, request, after) => {
    expect(muteAfter(before, request)).toEqual(after);
  });
});

describe('endsTooEarly', () => {
  it.each<[string, MuteRequest, boolean]>([
    ['an end in the past', { mute_until: EARLIER }, true],
    ['an end at this moment', { mute_until: NOW }, true],
    ['an end in the future', { mute_until: LATER }, false],
    ['null', { mute_until: null }, false],
    ['no end', { muted: true }, false],
  ])('of %s', (_, request, expected) => {
    expect(endsTooEarly(request, NOW)).toBe(expected);
  });
});
