import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import { BusinessError, invalidField } from '../../common/errors/business-error';
import { counted } from '../../common/streamed-buffers';
import { currentTrace, sendInTrace } from '../../common/tracing/current-trace';
import { CONFIG, type Config } from '../../config/config';

/** Maximum time for the scanner's response. */
const TIMEOUT_MS = 60_000;
const CLEAN = 200;
const INFECTED = 406;

/** Sends uploaded files to the operator's scanner, such as an HTTP gateway of ClamAV, before anything reads them. */
@Injectable()
export class FileScanner {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /**
   * Sends the bytes of a file as the body of a POST. Without `ATTACHMENT_SCAN_URL` it does nothing.
   * @throws {BusinessError} VALIDATION if the scanner rejects the file (406); UNAVAILABLE for any other response than 200,
   *   or none within 60 s: an unscanned file is not accepted
   */
  async assertClean(path: string, size: number): Promise<void> {
    const { scanUrl } = this.config.attachments;
    if (scanUrl === undefined) return;
    const status = await this.#scan(scanUrl, path, size).catch((cause: unknown) => {
      throw new BusinessError('UNAVAILABLE', { cause });
    });
    if (status === INFECTED) throw invalidField('file', 'invalid');
    if (status !== CLEAN)
      throw new BusinessError('UNAVAILABLE', {
        cause: new Error(`The scanner has responded with ${status}`),
      });
  }

  async #scan(url: string, path: string, size: number): Promise<number> {
    const file = counted(createReadStream(path));
    try {
      const headers = { 'Content-Type': 'application/octet-stream', 'Content-Length': String(size) };
      const response = await sendInTrace(currentTrace(), (trace) =>
        fetch(url, {
          method: 'POST',
          headers: { ...headers, ...trace },
          body: Readable.toWeb(file) as ReadableStream,
          duplex: 'half',
          redirect: 'error',
          signal: AbortSignal.timeout(TIMEOUT_MS),
        }),
      );
      await response.body?.cancel();
      return response.status;
    } finally {
      file.destroy();
    }
  }
}
