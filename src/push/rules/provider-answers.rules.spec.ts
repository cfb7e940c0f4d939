import { apnsOutcome } from './apns.rules';
import { fcmOutcome } from './fcm.rules';
import { gatewayOutcome } from './gateway.rules';
import { webPushOutcome } from './web-push.rules';

const REGISTERED = new Date('2026-01-31T08:00:00.000Z');
const after = REGISTERED.getTime() + 1;
const before = REGISTERED.getTime() - 1;

describe('apnsOutcome', () => {
  it.each([
    [200, '', 'accepted', null],
    [410, `{"reason":"Unregistered","timestamp":${after}}`, 'removed', 'Unregistered'],
    [410, `{"reason":"Unregistered","timestamp":${before}}`, 'retry', 'Unregistered'],
    [400, '{"reason":"BadDeviceToken"}', 'rejected', 'BadDeviceToken'],
    [400, '{"reason":"DeviceTokenNotForTopic"}', 'rejected', 'DeviceTokenNotForTopic'],
    [400, '{"reason":"BadPriority"}', 'dropped', 'BadPriority'],
    [403, '{"reason":"ExpiredProviderToken"}', 'retry', 'ExpiredProviderToken'],
    [429, '{"reason":"TooManyRequests"}', 'retry', 'TooManyRequests'],
    [503, '<html>', 'retry', 'status 503'],
  ])('converts %i with %s to %s', (status, text, result, reason) => {
    expect(apnsOutcome({ status, text }, REGISTERED)).toEqual({ result, reason });
  });
});

describe('fcmOutcome', () => {
  const error = (status: string, ...details: object[]): string =>
    JSON.stringify({ error: { status, details } });

  it.each([
    [200, '{}', 'accepted', null],
    [404, error('NOT_FOUND', { errorCode: 'UNREGISTERED' }), 'removed', 'UNREGISTERED'],
    [404, error('NOT_FOUND'), 'dropped', 'NOT_FOUND'],
    [403, error('PERMISSION_DENIED', { errorCode: 'SENDER_ID_MISMATCH' }), 'rejected', 'SENDER_ID_MISMATCH'],
    [
      400,
      error('INVALID_ARGUMENT', { fieldViolations: [{ field: 'message.token' }] }),
      'rejected',
      'INVALID_ARGUMENT',
    ],
    [
      400,
      error('INVALID_ARGUMENT', { fieldViolations: [{ field: 'message.data' }] }),
      'dropped',
      'INVALID_ARGUMENT',
    ],
    [429, error('RESOURCE_EXHAUSTED', { errorCode: 'QUOTA_EXCEEDED' }), 'retry', 'QUOTA_EXCEEDED'],
    [500, 'oops', 'retry', 'status 500'],
  ])('converts %i with %s to %s', (status, text, result, reason) => {
    expect(fcmOutcome({ status, text })).toEqual({ result, reason });
  });
});

describe('webPushOutcome and gatewayOutcome', () => {
  it.each([
    [201, 'accepted', 'accepted'],
    [404, 'removed', 'dropped'],
    [410, 'removed', 'removed'],
    [401, 'rejected', 'dropped'],
    [403, 'rejected', 'dropped'],
    [413, 'dropped', 'dropped'],
    [429, 'retry', 'retry'],
    [502, 'retry', 'retry'],
  ])('convert %i to %s and %s', (status, webPush, gateway) => {
    expect([webPushOutcome({ status }).result, gatewayOutcome({ status }).result]).toEqual([
      webPush,
      gateway,
    ]);
  });
});
