import { Injectable } from '@nestjs/common';
import { BusinessError } from '../../common/errors/business-error';

/** Uploads that an instance receives concurrently. */
const MAX_CONCURRENT = 20;
const RETRY_AFTER_SECONDS = 5;

/** Limits the uploads of an instance, however they arrive. */
@Injectable()
export class UploadSlots {
  #running = 0;

  /**
   * Runs an upload.
   * @throws {BusinessError} UNAVAILABLE while 20 uploads are running
   */
  async run<T>(upload: () => Promise<T>): Promise<T> {
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
