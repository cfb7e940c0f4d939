import type { IncomingMessage } from 'node:http';

/** So much of an answer is read; what comes behind is never asked for. */
const MOST_BYTES = 65_536;
/** So long the end of an answer that nobody reads may take: its connection is beside those that are counted. */
const END_WITHIN_MS = 1_000;

/**
 * The beginning of an answer as text, with a replacement for what is no UTF-8. One that is longer ends its connection; of
 * one that breaks off or does not come to an end in time, it is what had come.
 */
export async function readBody(answer: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const part of answer as AsyncIterable<Buffer>) {
      parts.push(part);
      length += part.length;
      if (length >= MOST_BYTES) break;
    }
  } catch {
    // The head has said what matters.
  }
  return Buffer.concat(parts).subarray(0, MOST_BYTES).toString('utf8');
}

/** Takes the rest of an answer that nobody reads off its connection, which can then be used again; a long or slow one ends it. */
export function discardBody(answer: IncomingMessage): void {
  let length = 0;
  const late = setTimeout(() => answer.destroy(), END_WITHIN_MS);
  answer.once('close', () => clearTimeout(late));
  answer.on('data', ({ length: more }: Buffer) => {
    length += more;
    if (length >= MOST_BYTES) answer.destroy();
  });
  answer.on('error', () => undefined);
}
