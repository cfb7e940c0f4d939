import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Paths of PEM files. */
export interface Certificate {
  key: string;
  certificate: string;
}

/** Creates a self-signed certificate for a host name in a folder. */
export function makeCertificate(folder: string, host: string): Certificate {
  const key = join(folder, `${host}.key.pem`);
  const certificate = join(folder, `${host}.pem`);
  const created = ['-keyout', key, '-out', certificate, '-days', '2', '-nodes'];
  const named = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', ...created, ...named], { stdio: 'ignore' });
  return { key, certificate };
}
