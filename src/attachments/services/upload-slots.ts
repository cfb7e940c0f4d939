import { Injectable } from '@nestjs/common';
import { BusinessError } from '../../common/errors/business-error';
import type { UserId } from '../../common/ids';
import { AttachmentMetrics, type UploadWay } from './attachment-metrics';

/** Uploads that an instance receives concurrently, of all users and of one. */
const MAX_CONCURRENT = 20;
const MAX_OF_USER = 6;
const RETRY_AFTER_SECONDS = 5;

/** Limits the uploads of an instance, however they arrive. */
@Injectable()
export class UploadSlots {
  #running = 0;
  readonly #byUser = new Map<UserId, number>();

  constructor(private readonly metrics: AttachmentMetrics) {}

  /**
   * Runs an upload, and counts it.
   * @param sizeOf returns the size of the accepted file; undefined: the upload is not complete yet
   * @throws {BusinessError} UNAVAILABLE while 20 uploads are running, or six of this user
   */
  run<T>(
    { userId, by }: { userId: UserId; by: UploadWay },
    upload: () => Promise<T>,
    sizeOf: (result: T) => number | undefined,
  ): Promise<T> {
    return this.metrics.upload(by, () => this.#runInSlot(userId, upload), sizeOf);
  }

  async #runInSlot<T>(userId: UserId, upload: () => Promise<T>): Promise<T> {
    const ofUser = this.#byUser.get(userId) ?? 0;
    if (this.#running >= MAX_CONCURRENT || ofUser >= MAX_OF_USER)
      throw new BusinessError('UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    this.#running += 1;
    this.#byUser.set(userId, ofUser + 1);
    try {
      return await upload();
    } finally {
      this.#running -= 1;
      const left = (this.#byUser.get(userId) ?? 1) - 1;
      if (left === 0) this.#byUser.delete(userId);
      else this.#byUser.set(userId, left);
    }
  }
}
