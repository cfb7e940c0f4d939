import { Injectable } from '@nestjs/common';
import type { Counter, Histogram } from 'prom-client';
import { BusinessError } from '../../common/errors/business-error';
import { Metrics } from '../../common/metrics';

/** How a file arrives: as a form, or as a resumable upload, of which each request counts. */
export type UploadWay = 'form' | 'tus';

/** Counts uploads and downloads of this instance. */
@Injectable()
export class AttachmentMetrics {
  readonly #uploads: Counter<'by' | 'result'>;
  readonly #downloads: Counter<'result'>;
  readonly #bytes: Counter<'direction'>;
  readonly #durations: Histogram<'by'>;

  constructor(metrics: Metrics) {
    const uploads = 'Requests that upload files, by way and result: ok or the key of the error';
    this.#uploads = metrics.counter('callboard_attachment_uploads_total', uploads, ['by', 'result']);
    const downloads = 'Requests for files, by result: the HTTP status or the key of the error';
    this.#downloads = metrics.counter('callboard_attachment_downloads_total', downloads, ['result']);
    const bytes = 'Bytes of accepted files (in) and of complete downloads from this instance (out)';
    this.#bytes = metrics.counter('callboard_attachment_bytes_total', bytes, ['direction']);
    const durations = 'Duration of requests that upload files, with their examination';
    this.#durations = metrics.durations('callboard_attachment_upload_seconds', durations, ['by']);
  }

  /**
   * Runs and counts an upload.
   * @param sizeOf returns the size of the accepted file; undefined: the upload is not complete yet
   */
  async upload<T>(
    by: UploadWay,
    run: () => Promise<T>,
    sizeOf: (result: T) => number | undefined,
  ): Promise<T> {
    const end = this.#durations.startTimer({ by });
    try {
      const result = await run();
      this.#uploads.inc({ by, result: 'ok' });
      this.#bytes.inc({ direction: 'in' }, sizeOf(result) ?? 0);
      return result;
    } catch (error) {
      this.#uploads.inc({ by, result: keyOf(error) });
      throw error;
    } finally {
      end();
    }
  }

  /** Counts a response to a request for a file. */
  countDownload(status: number): void {
    this.#downloads.inc({ result: String(status) });
  }

  countRefusedDownload(error: unknown): void {
    this.#downloads.inc({ result: keyOf(error) });
  }

  /** Counts the bytes of a complete download. */
  countSent(bytes: number): void {
    this.#bytes.inc({ direction: 'out' }, bytes);
  }
}

const keyOf = (error: unknown): string => (error instanceof BusinessError ? error.key : 'INTERNAL');
