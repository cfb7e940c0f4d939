import { createCipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from 'node:crypto';

/* Encryption of Web Push payloads: `aes128gcm` of RFC 8188 with the keys of RFC 8291. */

const SALT_BYTES = 16;
const KEY_BYTES = 16;
const NONCE_BYTES = 12;
const SECRET_BYTES = 32;
/** The payload is one record; its size must exceed that of every payload. */
const RECORD_SIZE = 4_096;
/** Delimiter of the last record. */
const LAST_RECORD = Buffer.from([2]);

/**
 * Encrypts a payload for a subscription.
 * @param keys the subscription's keys in base64url
 * @param random `salt` and `sender`, whose defaults are new ones
 */
export function encryptPayload(
  payload: string,
  keys: { p256dh: string; auth: string },
  random: { salt: Buffer; sender: ECDH } = { salt: randomBytes(SALT_BYTES), sender: newKeyPair() },
): Buffer {
  const { salt, sender } = random;
  const receiverKey = Buffer.from(keys.p256dh, 'base64url');
  const senderKey = sender.getPublicKey();
  const shared = sender.computeSecret(receiverKey);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), receiverKey, senderKey]);
  const secret = derive(shared, Buffer.from(keys.auth, 'base64url'), info, SECRET_BYTES);
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), KEY_BYTES);
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), NONCE_BYTES);
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  const header = Buffer.alloc(5);
  header.writeUInt32BE(RECORD_SIZE);
  header.writeUInt8(senderKey.length, 4);
  const record = [
    cipher.update(payload, 'utf8'),
    cipher.update(LAST_RECORD),
    cipher.final(),
    cipher.getAuthTag(),
  ];
  return Buffer.concat([salt, header, senderKey, ...record]);
}

function newKeyPair(): ECDH {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  return pair;
}

const derive = (secret: Buffer, salt: Buffer, info: Buffer, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, length));
