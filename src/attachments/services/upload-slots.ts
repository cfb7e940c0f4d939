import { Injectable } from '@nestjs/common';
import { BusinessError } from '../../common/errors/business-error';
import { AttachmentMetrics, type UploadWay } from './attachment-metrics';

/** Uploads that an instance receives concurrently. */
const MAX_CONCURRENT = 20;
const RETRY_AFTER_SECONDS = 5;

/** Limits the uploads of an instance, however they arrive. */
@Injectable()
export class UploadSlots {
  #running = 0;

  constructor(private readonly metrics: AttachmentMetrics) {}

  /**
   * Runs an upload, and counts it.
   * @param sizeOf returns the size of the accepted file; undefined: the upload is not complete yet
   * @throws {BusinessError} UNAVAILABLE while 20 uploads are running
   */
  run<T>(by: UploadWay, upload: () => Promise<T>, sizeOf: (result: T) => number | undefined): Promise<T> {
    return this.metrics.upload(by, () => this.#runInSlot(upload), sizeOf);
  }

  async #runInSlot<T>(upload: () => Promise<T>): Promise<T> {
    if (this.#running >= MAX_CONCURRENT)
      throw new BusinessError('UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    this.#running += 1;
    try {
      return await upload();
    } finally {
      this.#running -= 1;
    }
  }
}
