import { ClockEstimate } from '../../src/app/chat/clock-estimate';

describe('ClockEstimate', () => {
  const SERVICE_TIME = 1_000_000;
  const clocks = { monotonic: 500, wall: 2_000_000 };
  const open = (): ClockEstimate => {
    Object.assign(clocks, { monotonic: 500, wall: 2_000_000 });
    return new ClockEstimate({ monotonic: () => clocks.monotonic, wall: () => clocks.wall });
  };
  const pass = (ms: number): void => {
    clocks.monotonic += ms;
    clocks.wall += ms;
  };

  it('returns the time of the machine before the first event', () => {
    const estimate = open();
    estimate.observe(Number.NaN);
    expect(estimate.now()).toBe(2_000_000);
  });

  it('continues the time of the newest event, regardless of later events that were delayed', () => {
    const estimate = open();
    estimate.observe(SERVICE_TIME);
    pass(5_000);
    estimate.observe(SERVICE_TIME + 1_000);
    expect(estimate.now()).toBe(SERVICE_TIME + 5_000);
  });

  it('includes a sleep during which only the wall clock continues, when older events are replayed', () => {
    const estimate = open();
    estimate.observe(SERVICE_TIME);
    clocks.wall += 3_600_000;
    estimate.observe(SERVICE_TIME + 60_000);
    expect(estimate.now()).toBe(SERVICE_TIME + 3_600_000);
  });

  it('does not go back when the clock of the machine is set back', () => {
    const estimate = open();
    estimate.observe(SERVICE_TIME);
    pass(5_000);
    clocks.wall -= 3_600_000;
    expect(estimate.now()).toBe(SERVICE_TIME + 5_000);
  });
});
