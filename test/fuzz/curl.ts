import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Request } from './request';

const INLINE_BYTES = 2_000;

/** Returns the shell command that sends a request. A body that is long or not text is written to a file in `folder`. */
export function asCurl(url: string, { method, target, headers, body }: Request, folder: string): string {
  const parts = ['curl', '-sS', '-i', '--path-as-is', '-X', method, quoted(url + target)];
  for (const [name, value] of Object.entries(headers))
    parts.push('-H', quoted(value === '' ? `${name};` : `${name}: ${value}`));
  if (body !== undefined) parts.push('--data-binary', bodyArgument(body, folder));
  return parts.join(' ');
}

let files = 0;

function bodyArgument(body: Buffer, folder: string): string {
  const text = body.toString();
  const isPlain = body.length <= INLINE_BYTES && Buffer.from(text).equals(body) && !text.includes('\0');
  if (isPlain && !text.startsWith('@')) return quoted(text);
  files += 1;
  const file = join(folder, `fuzz-body-${process.pid}-${files}`);
  writeFileSync(file, body);
  return quoted(`@${file}`);
}

const quoted = (text: string): string => `'${text.replaceAll(`'`, `'\\''`)}'`;

/** Returns the shell command that writes bytes to a connection. */
export function asNetcat(url: string, bytes: Buffer): string {
  const { hostname, port } = new URL(url);
  const escaped = Array.from(bytes, (byte) =>
    byte < 0x20 || byte > 0x7e || byte === 0x27 || byte === 0x5c || byte === 0x25
      ? `\\${byte.toString(8).padStart(3, '0')}`
      : String.fromCharCode(byte),
  ).join('');
  return `printf '%b' '${escaped}' | nc ${hostname} ${port}`;
}
