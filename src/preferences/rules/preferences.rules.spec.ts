import { decidePush, DEFAULT_RULES, type PushRules, type PushSubject } from './preferences.rules';

const NOW = new Date('2026-01-31T08:00:00Z');
const QUIET: Partial<PushRules> = {
  quietHours: { enabled: true, from: '00:00', to: '00:00', days: [6], time_zone: 'UTC' },
};
const DND: Partial<PushRules> = { dndUntil: new Date('2026-01-31T08:00:00.001Z') };
const CALL: PushSubject = { kind: 'call' };
const MESSAGE: PushSubject = { kind: 'message' };
const NOTIFICATION: PushSubject = { kind: 'notification', type: 'system' };
const CRITICAL: PushSubject = { ...NOTIFICATION, critical: true };

describe('decidePush', () => {
  it.each<[name: string, rules: Partial<PushRules>, [call: string, message: string, critical: string]]>([
    ['by default', {}, ['normal', 'normal', 'normal']],
    ['in quiet hours', QUIET, ['normal', 'silent', 'normal']],
    ['in quiet hours without calls', { ...QUIET, callsWhenQuiet: false }, ['none', 'silent', 'normal']],
    ['outside quiet hours without calls', { callsWhenQuiet: false }, ['normal', 'normal', 'normal']],
    ['before the end of do-not-disturb', DND, ['none', 'silent', 'normal']],
    ['at the end of do-not-disturb', { dndUntil: NOW }, ['normal', 'normal', 'normal']],
    ['with the type switched off', { push: false }, ['normal', 'none', 'normal']],
    ['with the type switched off in quiet hours', { ...QUIET, push: false }, ['normal', 'none', 'normal']],
  ])(
    'sends a call, a message or notification, and a critical one %s',
    (_name, rules, [call, other, critical]) => {
      const deliver = (subject: PushSubject) =>
        decidePush({ ...DEFAULT_RULES, ...rules }, subject, NOW).delivery;
      expect([CALL, MESSAGE, NOTIFICATION, CRITICAL].map(deliver)).toEqual([call, other, other, critical]);
    },
  );

  it('returns the preview that the user has chosen', () => {
    expect(decidePush({ ...DEFAULT_RULES, preview: 'ids' }, MESSAGE, NOW)).toEqual({
      delivery: 'normal',
      preview: 'ids',
    });
  });
});
