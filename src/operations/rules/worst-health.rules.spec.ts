import type { HealthItemResponse } from '../dto/system.dto';
import { worstOf } from './worst-health.rules';

describe('worstOf', () => {
  const item = (name: string, status: HealthItemResponse['status'], last_error: string | null = null) => ({
    name,
    status,
    last_success_at: null,
    last_error,
    last_error_at: null,
  });

  it('returns of each name the worst item of all workers', () => {
    const first = [item('redis', 'up'), item('call_deadlines', 'off'), item('typing', 'up')];
    const second = [item('redis', 'down', 'no reply'), item('call_deadlines', 'up'), item('typing', 'off')];
    expect(worstOf([first, second])).toEqual([
      item('redis', 'down', 'no reply'),
      item('call_deadlines', 'up'),
      item('typing', 'up'),
    ]);
  });

  it('returns the items of a single process', () => {
    expect(worstOf([[item('redis', 'up')]])).toEqual([item('redis', 'up')]);
  });
});
