import { Inject, Injectable } from '@nestjs/common';
import { recordAudit } from '../../audit/recording/record-audit';
import { Clock, plusSeconds } from '../../common/clock';
import { BusinessError } from '../../common/errors/business-error';
import { Catalogues } from '../../common/i18n/catalogues';
import { CONFIG, type Config } from '../../config/config';
import { Transactions } from '../../database/transactions';
import { SearchCounters } from '../../rate-limit/rate-counters';
import type { PushTestResponse } from '../dto/push-responses.dto';
import { PushSenders } from './push-senders';
import { PushTargetsService } from './push-targets.service';

/** 10 s for the response of the provider, and 5 s for the database. */
export const PUSH_TEST_TIMEOUT_MS = 15_000;
const TESTS_PER_MINUTE = 5;
const TTL_SECONDS = 60;

/** Limits test pushes per target, and audits those of administrators. */
@Injectable()
export class PushTestLimits {
  constructor(
    private readonly counters: SearchCounters,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /** Counts a test and returns its time. @throws {BusinessError} TOO_MANY_REQUESTS */
  async count(targetId: number, isAudited: boolean): Promise<Date> {
    const { count, secondsLeft } = await this.counters.hit(`push test ${targetId}`, 60);
    if (count > TESTS_PER_MINUTE)
      throw new BusinessError('TOO_MANY_REQUESTS', { retryAfterSeconds: secondsLeft });
    if (isAudited)
      await this.transactions.run(async (em) =>
        recordAudit(em, { object_id: targetId, before: null, after: { sent: true } }),
      );
    return this.clock.now();
  }
}

/** Sends test pushes, which are not queued and not repeated. */
@Injectable()
export class PushTestsService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly targets: PushTargetsService,
    private readonly senders: PushSenders,
    private readonly languages: Catalogues,
    private readonly limits: PushTestLimits,
  ) {}

  /**
   * Sends a test push and returns whether the provider accepted it. Does not change the state of the target. VoIP
   * targets are sent calls only.
   * @param userId the owner of the target; undefined: an administrator tests the target of any user
   * @throws {BusinessError} PUSH_TARGET_NOT_FOUND, TOO_MANY_REQUESTS
   */
  async test(id: number, userId?: number): Promise<PushTestResponse> {
    const target = await this.targets.find(id, userId);
    const now = await this.limits.count(id, userId === undefined);
    // iOS ends an app that shows no call for a VoIP push, and stops delivering them.
    if (target.kind === 'apns_voip') return { accepted: false, reason: 'calls_only' };
    const { messages } = this.languages.catalogue;
    const { result, reason } = await this.senders.send(target, {
      type: 'test',
      topic: 'test',
      title: messages.testPushTitle,
      body: messages.testPushBody,
      badge: null,
      priority: 'high',
      isSilent: false,
      isDisplayed: true,
      expiresAt: plusSeconds(now, TTL_SECONDS),
      now,
      url: this.config.attachments.publicUrl,
      data: { type: 'test', user_id: target.user_id, target_id: id, sent_at: now.toISOString() },
    });
    return { accepted: result === 'accepted', reason };
  }
}
