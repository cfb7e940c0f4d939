import { logDestination } from './log-destination';

describe('logDestination', () => {
  it('returns one stream for the process, whose timer would otherwise be left by each application', () => {
    expect(logDestination()).toBe(logDestination());
  });
});
