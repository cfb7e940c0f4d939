import * as fc from 'fast-check';
import type { Schema } from './document';
import type { RawBody } from './invalid-bodies';
import { hostile, valid } from './values';

const BOUNDARY = 'boundary-of-the-fuzzer';

/** A PNG of one pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
/** A GIF of one pixel. */
const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
/** The first bytes of an MP4, which determine its type. */
const MP4 = Buffer.from('0000001866747970697336d0000002006973366d69736f32', 'hex').fill('isom', 8, 12);
/** A WAV without samples. */
const WAV = Buffer.from(
  '524946462400000057415645666d74201000000001000100401f0000803e0000020010006461746100000000',
  'hex',
);
const HTML = Buffer.from('<html><script>alert(1)</script></html>');
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>');

/** Accepted files of each type, and similar ones. */
const FILES: Record<string, Buffer[]> = {
  image: [PNG, GIF, Buffer.concat([PNG, HTML])],
  audio: [WAV, MP4],
  video: [MP4],
  file: [HTML, SVG, PNG, Buffer.from('text'), Buffer.alloc(70_000, 'x')],
};
const ODD_FILES = [Buffer.alloc(0), PNG.subarray(0, 40), SVG, WAV.subarray(0, 20), Buffer.alloc(300, 0xff)];

const NAMES = ['a.png', '报告.pdf', '../../etc/passwd', '\u202Egnp.exe', 'no extension', '', 'x'.repeat(300)];

/** A part of a form: a field, or with `fileName` a file. */
interface Part {
  name: string;
  content: Buffer;
  fileName?: string;
}

const field = (name: string, value: unknown): Part => ({ name, content: Buffer.from(String(value)) });

const file = (content: fc.Arbitrary<Buffer>): fc.Arbitrary<Part> =>
  fc.record({ name: fc.constant('file'), content, fileName: fc.constantFrom(...NAMES) });

/** The fields of a form and a file of its type. */
function validParts({ properties = {} }: Schema): fc.Arbitrary<Part[]> {
  const types = (properties.type?.enum ?? []).map(String);
  return fc
    .oneof({ weight: 2, arbitrary: fc.constantFrom(...types) }, { weight: 1, arbitrary: fc.constant('file') })
    .chain((type) => {
      const others = Object.entries(properties).filter(([name]) => name !== 'type' && name !== 'file');
      const fields = others.map(([name, schema]) =>
        fc.option(valid('', name, schema).map((value) => field(name, value))),
      );
      const content = fc.constantFrom(...(FILES[type] ?? ODD_FILES));
      return fc
        .tuple(fc.tuple(...fields), file(content))
        .map(([chosen, sent]) => [
          field('type', type),
          ...chosen.filter((part): part is Part => part !== null),
          sent,
        ]);
    });
}

/** Parts that are missing, repeated, unknown or wrong. */
function wrongParts(form: Schema): fc.Arbitrary<Part[]> {
  const names = [...Object.keys(form.properties ?? {}), 'unknown', '__proto__', ''];
  const wrong = fc
    .tuple(fc.constantFrom(...names), hostile())
    .map(([name, value]) => field(name, typeof value === 'string' ? value : JSON.stringify(value)));
  const oddFile = file(fc.oneof(fc.constantFrom(...ODD_FILES), bytes));
  return fc
    .tuple(validParts(form), fc.array(fc.oneof(wrong, oddFile), { maxLength: 3 }), fc.nat(3))
    .map(([parts, more, left]) => [...more, ...parts.slice(left)]);
}

const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));

function encoded(parts: Part[]): Buffer {
  const chunks = parts.flatMap(({ name, content, fileName }) => [
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"`,
    fileName === undefined ? '' : `; filename="${fileName}"\r\nContent-Type: application/x-msdownload`,
    '\r\n\r\n',
    content,
    '\r\n',
  ]);
  return Buffer.concat([...chunks, `--${BOUNDARY}--\r\n`].map((chunk) => Buffer.from(chunk)));
}

const HEADERS = { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` };

/** Returns bodies of `multipart/form-data` with a file, most of them valid. */
export function formBody(form: Schema): fc.Arbitrary<RawBody> {
  const whole = validParts(form).map(encoded);
  const cut = fc.tuple(whole, fc.nat(500)).map(([body, length]) => body.subarray(0, length));
  return fc
    .oneof(
      { weight: 12, arbitrary: whole },
      { weight: 3, arbitrary: wrongParts(form).map(encoded) },
      { weight: 1, arbitrary: cut },
      { weight: 1, arbitrary: bytes },
    )
    .map((body) => ({ bytes: body, headers: HEADERS }));
}
