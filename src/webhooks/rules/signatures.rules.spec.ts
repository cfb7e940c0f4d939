import { Webhook } from 'standardwebhooks';
import { secretOf, signaturesOf } from './signatures.rules';

const SERVICE_SECRET = 'a-secret-for-webhooks-with-32-bytes';
const BODY = '{"id":"msg_1","type":"call.ended","data":{"name":"爱丽丝"}}';

describe('secretOf', () => {
  it('depends only on the secret of the service and the salt', () => {
    expect(secretOf('key', 'The quick brown fox jumps over the lazy dog')).toBe(
      'whsec_97yD9DBThCSxMpjmqm+xQ+9NWaFJRhdZl0edvC0aPNg=',
    );
    expect(secretOf(SERVICE_SECRET, 'a')).not.toBe(secretOf(SERVICE_SECRET, 'b'));
    expect(secretOf(SERVICE_SECRET, 'a')).not.toBe(secretOf('another', 'a'));
  });
});

describe('signaturesOf', () => {
  it('returns the signature of the specification’s example', () => {
    const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    expect(signaturesOf([secret], { id, seconds: 1_614_265_330, body: '{"test": 2432232314}' })).toBe(
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    );
  });

  it('returns signatures that each of the secrets verifies, and no other', () => {
    const secrets = ['a', 'b', 'c', 'd'].map((salt) => secretOf(SERVICE_SECRET, salt));
    const seconds = Math.floor(Date.now() / 1000);
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(seconds),
      'webhook-signature': signaturesOf(secrets, { id: 'msg_1', seconds, body: BODY }),
    };
    for (const secret of secrets) expect(new Webhook(secret).verify(BODY, headers)).toEqual(JSON.parse(BODY));
    const stranger = new Webhook(secretOf(SERVICE_SECRET, 'e'));
    expect(() => stranger.verify(BODY, headers)).toThrow('No matching signature found');
    const [secret = ''] = secrets;
    expect(() => new Webhook(secret).verify(`${BODY} `, headers)).toThrow('No matching signature found');
  });
});
