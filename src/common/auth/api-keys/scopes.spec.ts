import { opens } from './scopes';

describe('A scope', () => {
  it('opens what needs it, and nothing else', () => {
    expect(opens(['users:read'], 'users:read')).toBe(true);
    expect(opens(['users:read'], 'users:write')).toBe(false);
    expect(opens(['users:read'], 'device-groups:read')).toBe(false);
    expect(opens(['tokens:issue', 'calls:read'], 'calls:read')).toBe(true);
    expect(opens([], 'calls:read')).toBe(false);
  });

  it('to write includes the one to read of the same things', () => {
    expect(opens(['users:write'], 'users:read')).toBe(true);
    expect(opens(['device-groups:write'], 'device-groups:read')).toBe(true);
    expect(opens(['device-groups:write'], 'users:read')).toBe(false);
    expect(opens(['users:write'], 'tokens:issue')).toBe(false);
  });
});
