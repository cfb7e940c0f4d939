import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { BusinessError } from '../../common/errors/business-error';
import { CONFIG, type Config } from '../../config/config';
import type { WebhookEndpointEntity } from '../entities/webhook-endpoint.entity';
import { secretOf } from '../rules/signatures';

const SALT_BYTES = 32;

/** A salt for a new secret. */
export const newSalt = (): string => randomBytes(SALT_BYTES).toString('base64url');

/** The secrets of endpoints, made of WEBHOOK_SECRET when they are needed: the database holds none (contract 12.2). */
@Injectable()
export class WebhookSecrets {
  readonly #serviceSecrets: readonly string[];
  readonly #newest?: string;

  constructor(@Inject(CONFIG) { backEnds: { webhookSecret, previousWebhookSecret } }: Config) {
    this.#newest = webhookSecret;
    this.#serviceSecrets = [webhookSecret, previousWebhookSecret].filter((secret) => secret !== undefined);
  }

  /** Whether anything can be signed: WEBHOOK_SECRET is set. */
  get areThere(): boolean {
    return this.#newest !== undefined;
  }

  /**
   * The secret that is told to the endpoint's receiver.
   * @throws {BusinessError} UNAVAILABLE: WEBHOOK_SECRET is not set
   */
  newestOf({ salt }: Pick<WebhookEndpointEntity, 'salt'>): string {
    if (this.#newest === undefined) throw new BusinessError('UNAVAILABLE');
    return secretOf(this.#newest, salt);
  }

  /** The secrets that sign, the newest first: of each of the service's, that of the salt and of a salt before it. */
  signingFor({ salt, previous_salt, previous_until }: WebhookEndpointEntity, now: Date): readonly string[] {
    const isRotating = previous_salt !== null && previous_until !== null && now < previous_until;
    const salts = isRotating ? [salt, previous_salt] : [salt];
    return this.#serviceSecrets.flatMap((secret) => salts.map((one) => secretOf(secret, one)));
  }
}
