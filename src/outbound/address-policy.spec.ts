import { loadConfig } from '../config/config';
import { AddressPolicy } from './address-policy';

describe('AddressPolicy.mayAllow', () => {
  const mayAllow = (url: string, allowed = ''): boolean =>
    new AddressPolicy(loadConfig({ OUTBOUND_ALLOWED_NETWORKS: allowed })).mayAllow(new URL(url));

  it.each([
    ['https://backend.example/', '', true],
    ['https://1.1.1.1/', '', true],
    ['https://[2606:4700::1111]/', '', true],
    ['http://backend.example/', '', false],
    ['http://1.1.1.1/', '', false],
    ['https://127.0.0.1/', '', false],
    ['http://backend.example/', '10.0.0.0/8', true],
    ['http://10.1.2.3/', '10.0.0.0/8', true],
    ['http://[::ffff:10.1.2.3]/', '10.0.0.0/8', true],
    ['http://11.1.2.3/', '10.0.0.0/8', false],
    ['https://127.0.0.1/', '10.0.0.0/8', false],
    ['https://[fd00::1]/', 'fd00::/8', true],
  ])('returns for %s with "%s" exempt: %s', (url, allowed, expected) => {
    expect(mayAllow(url, allowed)).toBe(expected);
  });
});
