import { apnsHeaders, apnsPayload } from './apns.rules';
import { fcmBody } from './fcm.rules';
import { gatewayBody } from './gateway.rules';
import { payloadWith, type PushAddress, type PushMessage, ttlSecondsOf } from './push-message.rules';
import { webPushHeaders, webPushPayload } from './web-push.rules';

const TARGET = { kind: 'apns', app: 'com.example.app', token: 't', provider: null } as PushAddress;
const MESSAGE: PushMessage = {
  type: 'message',
  topic: 'conversation:9',
  title: 'Ann',
  body: '😀'.repeat(2_000),
  badge: 3,
  priority: 'high',
  isSilent: false,
  isDisplayed: true,
  expiresAt: new Date('2026-01-31T08:01:00.000Z'),
  now: new Date('2026-01-31T08:00:00.000Z'),
  url: 'https://chat.example/conversations/9',
  data: { type: 'message', conversation_id: 9 },
};

describe('Payloads', () => {
  it.each([
    ['APNs', apnsPayload(TARGET, MESSAGE)],
    ['FCM', fcmBody(TARGET, MESSAGE)],
    ['Web Push', webPushPayload(MESSAGE)],
    ['the gateway', gatewayBody(TARGET, MESSAGE)],
  ])('of %s are at most 3,900 bytes, with a shortened text', (_, payload) => {
    expect(Buffer.byteLength(payload)).toBeLessThanOrEqual(3_900);
    expect(Buffer.byteLength(payload)).toBeGreaterThan(3_800);
    expect(payload.isWellFormed()).toBe(true);
  });

  it('are composed once if the whole text fits', () => {
    const compose = jest.fn((text: string | null) => `<${text}>`);
    expect(payloadWith('See you at eight', compose)).toBe('<See you at eight>');
    expect(compose).toHaveBeenCalledTimes(1);
  });

  it('contain no text if none of it fits', () => {
    const compose = (text: string | null): string => `${text}${'x'.repeat(3_900)}`;
    expect(payloadWith('text', compose)).toBe('x'.repeat(3_900));
  });
});

describe('apnsHeaders and apnsPayload', () => {
  it.each([
    [{}, { 'apns-push-type': 'alert', 'apns-priority': '10', 'apns-topic': 'com.example.app' }],
    [{ isDisplayed: false }, { 'apns-push-type': 'alert', 'apns-priority': '5' }],
    [
      { isDisplayed: false, badge: null },
      { 'apns-push-type': 'background', 'apns-priority': '5' },
    ],
  ])('use for %j the push type and priority %j', (parts, expected) => {
    expect(apnsHeaders(TARGET, { ...MESSAGE, ...parts }, 'jwt')).toMatchObject(expected);
  });

  it.each([
    ['2026-01-31T08:00:00.400Z', '2026-01-31T08:01:00.000Z'],
    ['2026-01-31T08:00:00.400Z', '2026-01-31T08:01:00.999Z'],
    ['2026-01-31T08:01:30.000Z', '2026-01-31T08:01:00.000Z'],
  ])('send at %s a push that expires at %s with the second of its expiry', (now, expiresAt) => {
    const message = { ...MESSAGE, now: new Date(now), expiresAt: new Date(expiresAt) };
    expect(apnsHeaders(TARGET, message, 'jwt')).toMatchObject({ 'apns-expiration': '1769846460' });
  });

  it('send quietly without a sound, and a ring as time-sensitive', () => {
    const apsOf = (parts: Partial<PushMessage>): unknown =>
      (JSON.parse(apnsPayload(TARGET, { ...MESSAGE, body: 'text', ...parts })) as { aps: unknown }).aps;
    expect(apsOf({ isSilent: true })).toEqual({
      alert: { title: 'Ann', body: 'text' },
      'thread-id': 'conversation:9',
      'mutable-content': 1,
      'interruption-level': 'passive',
      badge: 3,
    });
    expect(apsOf({ type: 'call.ringing', badge: null })).toMatchObject({
      sound: 'default',
      'interruption-level': 'time-sensitive',
    });
  });
});

describe('ttlSecondsOf', () => {
  it.each([
    ['2026-01-31T08:00:00.000Z', 60],
    ['2026-01-31T08:00:00.400Z', 59],
    ['2026-01-31T08:01:30.000Z', 0],
  ])('returns at %s for a push that expires at 08:01: %i', (now, seconds) =>
    expect(ttlSecondsOf({ ...MESSAGE, now: new Date(now) })).toBe(seconds),
  );
});

describe('webPushHeaders', () => {
  it('name the topic by 32 characters of its hash', () => {
    expect(webPushHeaders(MESSAGE)).toEqual({
      'content-type': 'application/notification+json',
      'content-encoding': 'aes128gcm',
      ttl: '60',
      urgency: 'high',
      topic: expect.stringMatching(/^[\w-]{32}$/),
    });
  });
});
