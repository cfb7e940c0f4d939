import type { IncomingMessage } from 'node:http';
import { BusinessError } from '../../common/errors/business-error';
import { countStreamed } from '../../common/streamed-buffers';

const MAX_MS = 10_000;
const MAX_SILENCE_MS = 1_000;
/** Bodies that an instance discards concurrently. Further ones are cut off at once, so that an overload is not made worse. */
const MAX_CONCURRENT = 20;

let running = 0;

/**
 * Discards the rest of a rejected body before the response is sent. Most clients send the whole body before they read,
 * and a connection that is closed meanwhile is reset: they would report a broken connection instead of the error. Gives
 * up after a second without bytes, and after ten seconds. A body that was too slow is not read any further.
 * @param reason why it was rejected
 */
export async function discardRest(request: IncomingMessage, reason: unknown): Promise<void> {
  const wasSlow = reason instanceof BusinessError && reason.key === 'BAD_REQUEST';
  if (wasSlow || request.readableEnded || request.destroyed || running >= MAX_CONCURRENT) return;
  running += 1;
  const { promise: isOver, resolve } = Promise.withResolvers<void>();
  const total = setTimeout(resolve, MAX_MS);
  const silence = setTimeout(resolve, MAX_SILENCE_MS);
  const discard = (bytes: Buffer): void => {
    silence.refresh();
    countStreamed(bytes);
  };
  request.on('data', discard).on('error', resolve).once('end', resolve).once('close', resolve).resume();
  await isOver;
  running -= 1;
  request.off('data', discard).off('end', resolve).off('close', resolve);
  clearTimeout(total);
  clearTimeout(silence);
}
