import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { FastifyRequest } from 'fastify';
import { LessThan, type Repository } from 'typeorm';
import { Clock, plusSeconds } from '../common/clock';
import { RequestRate } from '../common/rate-limit/request-rate';
import { MediaNoticeEntity } from './entities/media-notice.entity';
import { MediaTruth } from './media-truth';
import { type MediaNotice, MediaNoticeReader } from './media/media-notice';

const FORGET_INTERVAL_MS = 600_000;
/** Providers repeat a notice within minutes. */
const REMEMBERED_SECONDS = 86_400;

/** Receives the media provider's notices, and forgets those that can no longer be repeated. */
@Injectable()
export class MediaWebhooks implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger(MediaWebhooks.name);
  #timer?: NodeJS.Timeout;

  constructor(
    @InjectRepository(MediaNoticeEntity) private readonly notices: Repository<MediaNoticeEntity>,
    private readonly reader: MediaNoticeReader,
    private readonly truth: MediaTruth,
    private readonly clock: Clock,
    private readonly rate: RequestRate,
  ) {}

  onApplicationBootstrap(): void {
    this.#timer = setInterval(() => {
      this.forget().catch((error: unknown) => this.#log.warn(`Old notices stay: ${String(error)}`));
    }, FORGET_INTERVAL_MS);
  }

  onModuleDestroy(): void {
    clearInterval(this.#timer);
  }

  /**
   * @throws {BusinessError} UNAUTHORIZED when the signature over the raw body is not the provider's; TOO_MANY_REQUESTS
   *   instead when too many of them come from one address
   */
  async receive(request: FastifyRequest): Promise<void> {
    const notice = await this.#read(request);
    if (notice !== undefined) await this.truth.take(notice);
  }

  async #read(request: FastifyRequest): Promise<MediaNotice | undefined> {
    const { rawBody = Buffer.alloc(0), headers } = request;
    try {
      return await this.reader.read(rawBody, headers);
    } catch (error) {
      await this.rate.count(request);
      throw error;
    }
  }

  async forget(): Promise<void> {
    await this.notices.delete({ received_at: LessThan(plusSeconds(this.clock.now(), -REMEMBERED_SECONDS)) });
  }
}
