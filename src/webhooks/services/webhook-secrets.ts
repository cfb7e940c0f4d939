import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { BusinessError } from '../../common/errors/business-error';
import { CONFIG, type Config } from '../../config/config';
import type { WebhookEndpointEntity } from '../entities/webhook-endpoint.entity';
import { secretOf } from '../rules/signatures.rules';

const SALT_BYTES = 32;

/** Generates the salt of a new secret. */
export const newSalt = (): string => randomBytes(SALT_BYTES).toString('base64url');

/** Derives the secrets of endpoints from WEBHOOK_SECRET on demand: the database stores none (API 14.3). */
@Injectable()
export class WebhookSecrets {
  readonly #serviceSecrets: readonly string[];
  readonly #newest?: string;

  constructor(@Inject(CONFIG) { backEnds: { webhookSecret, previousWebhookSecret } }: Config) {
    this.#newest = webhookSecret;
    this.#serviceSecrets = [webhookSecret, previousWebhookSecret].filter((secret) => secret !== undefined);
  }

  /** Whether anything can be signed: WEBHOOK_SECRET is set. */
  get isConfigured(): boolean {
    return this.#newest !== undefined;
  }

  /**
   * Returns the endpoint's current secret, which its receiver needs for verification.
   * @throws {BusinessError} UNAVAILABLE: WEBHOOK_SECRET is not set
   */
  newestOf({ salt }: Pick<WebhookEndpointEntity, 'salt'>): string {
    if (this.#newest === undefined) throw new BusinessError('UNAVAILABLE');
    return secretOf(this.#newest, salt);
  }

  /**
   * Returns the secrets to sign with, newest first: for each WEBHOOK_SECRET, those of the current and the previous
   * salt.
   */
  signingFor({ salt, previous_salt, previous_until }: WebhookEndpointEntity, now: Date): readonly string[] {
    const isRotating = previous_salt !== null && previous_until !== null && now < previous_until;
    const salts = isRotating ? [salt, previous_salt] : [salt];
    return this.#serviceSecrets.flatMap((secret) => salts.map((eachSalt) => secretOf(secret, eachSalt)));
  }
}
