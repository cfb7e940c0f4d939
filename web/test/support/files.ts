import sharp from 'sharp';
import { signToken } from '../../../test/support/tokens';
import type { Person, Stage } from './stage';

/** Returns a picture of one colour as PNG. */
export const pictureOf = (colour: string, width = 64, height = 48): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: colour } })
    .png()
    .toBuffer();

/** Returns a WAV file of a tone, in 8 bits at 8 kHz. */
export function tone(seconds: number): Buffer {
  const samples = Buffer.from(
    Array.from({ length: seconds * 8_000 }, (_, index) => 128 + Math.round(60 * Math.sin(index / 3))),
  );
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + samples.length, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(8_000, 24);
  header.writeUInt32LE(8_000, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write('data', 36);
  header.writeUInt32LE(samples.length, 40);
  return Buffer.concat([header, samples]);
}

/** Uploads a file through the API, as another device would, and returns the id of the attachment. */
export async function uploadFile(
  stage: Stage,
  { id }: Person,
  { type, name, bytes, duration }: { type: string; name: string; bytes: Buffer; duration?: number },
): Promise<number> {
  const form = new FormData();
  form.append('type', type);
  if (duration !== undefined) form.append('duration', String(duration));
  form.append('file', new Blob([new Uint8Array(bytes)]), name);
  const response = await fetch(`${stage.service.url}/api/attachments`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${await signToken({ sub: String(id), role: 'user' })}` },
    body: form,
  });
  const { message, data } = (await response.json()) as { message: string; data: { id: number } | null };
  if (data === null) throw new Error(`Upload of ${name}: ${message}`);
  return data.id;
}
