import { type CurrentRequest, mayOwe, runForRequest } from './current-caller';

describe('mayOwe', () => {
  it.each([
    ['a user beside other callers', 'user:1', { hasOthers: () => true }, true],
    ['a user who has the instance to itself', 'user:1', { hasOthers: () => false }, false],
    ['an API key beside other callers', 'key:1', { hasOthers: () => true }, false],
    ['an address outside /api', 'address:10.0.0.1', {}, true],
  ] as [string, string, CurrentRequest, boolean][])('is correct for %s', (_, caller, request, expected) => {
    expect(runForRequest(request, () => mayOwe(caller))).toBe(expected);
  });
});
