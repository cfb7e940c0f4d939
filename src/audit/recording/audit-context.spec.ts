import { runForRequest, runWithoutCaller } from '../../common/concurrency/current-caller';
import { type AuditContext, auditContext, startAudit } from './audit-context';

const context: AuditContext = {
  action: 'user.create',
  ip: '192.0.2.1',
  requestId: 'request-1',
  isRecorded: false,
};

describe('startAudit', () => {
  it('sets the audit context of the current request only', () => {
    runForRequest({}, () => {
      startAudit(context);
      expect(auditContext()).toBe(context);
      expect(runWithoutCaller(auditContext)).toBeUndefined();
    });
    expect(runForRequest({}, auditContext)).toBeUndefined();
  });

  it('fails without a current request', () => {
    expect(() => startAudit(context)).toThrow('The route of user.create has no current request');
  });
});
