import { endsTooEarly, isMuted, type Mute, muteAfter, type MuteRequest } from './mute.rules';

const NOW = new Date('2026-01-31T08:00:00.000Z');
const LATER = new Date('2026-01-31T08:00:00.001Z');
const EARLIER = new Date('2026-01-31T07:59:59.999Z');

const OFF: Mute = { muted: false, mute_until: null };
const PERMANENT: Mute = { muted: true, mute_until: null };
const UNTIL_LATER: Mute = { muted: true, mute_until: LATER };

describe('Mute state', () => {
  it.each([
    ['not muted', OFF, false],
    ['muted permanently', PERMANENT, true],
    ['muted until later', UNTIL_LATER, true],
    ['muted until now', { muted: true, mute_until: NOW }, false],
    ['muted until before', { muted: true, mute_until: EARLIER }, false],
  ])('is evaluated when %s', (_, mute, expected) => {
    expect(isMuted(mute, NOW)).toBe(expected);
  });

  it.each<[string, Mute, MuteRequest, Mute]>([
    ['an empty request', UNTIL_LATER, {}, UNTIL_LATER],
    ['muted', OFF, { muted: true }, PERMANENT],
    ['muted, with an end before', UNTIL_LATER, { muted: true }, PERMANENT],
    ['not muted', PERMANENT, { muted: false }, OFF],
    ['not muted, with an end before', UNTIL_LATER, { muted: false }, OFF],
    ['an end', OFF, { mute_until: LATER }, UNTIL_LATER],
    ['an end instead of a permanent mute', PERMANENT, { mute_until: LATER }, UNTIL_LATER],
    ['an end, which takes precedence over muted', OFF, { muted: false, mute_until: LATER }, UNTIL_LATER],
    ['the removal of the end', UNTIL_LATER, { mute_until: null }, OFF],
    ['no end when muted permanently', PERMANENT, { mute_until: null }, PERMANENT],
    ['no end when not muted', OFF, { mute_until: null }, OFF],
    ['muted, with no end', UNTIL_LATER, { muted: true, mute_until: null }, PERMANENT],
    ['not muted, with no end', PERMANENT, { muted: false, mute_until: null }, OFF],
  ])('is updated by the request: %s', (_, before, request, after) => {
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
  ])('is correct for %s', (_, request, expected) => {
    expect(endsTooEarly(request, NOW)).toBe(expected);
  });
});
