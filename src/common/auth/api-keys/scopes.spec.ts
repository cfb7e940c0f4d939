import { opens } from './scopes';

describe('opens', () => {
  it('is true only when the required scope is granted', () => {
    expect(opens(['users:read'], 'users:read')).toBe(true);
    expect(opens(['users:read'], 'users:write')).toBe(false);
    expect(opens(['users:read'], 'device-groups:read')).toBe(false);
    expect(opens(['tokens:issue', 'calls:read'], 'calls:read')).toBe(true);
    expect(opens([], 'calls:read')).toBe(false);
  });

  it('treats a write scope as including the read scope of the same resource', () => {
    expect(opens(['users:write'], 'users:read')).toBe(true);
    expect(opens(['device-groups:write'], 'device-groups:read')).toBe(true);
    expect(opens(['device-groups:write'], 'users:read')).toBe(false);
    expect(opens(['users:write'], 'tokens:issue')).toBe(false);
  });
});
