import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { recordAudit } from '../../audit/recording/record-audit';
import type { Principal } from '../../common/auth/principal';
import { actingTerminal } from '../../common/auth/session-terminal';
import { Clock } from '../../common/clock';
import { BusinessError, invalidField } from '../../common/errors/business-error';
import { CONFIG, type Config } from '../../config/config';
import { Transactions } from '../../database/transactions';
import { AddressPolicy } from '../../outbound/address-policy';
import { OutboxDispatcher } from '../../outbox/outbox-dispatcher';
import type { ConfirmPushRequest, RegisterPushTargetRequest } from '../dto/push-requests.dto';
import {
  type PushConfigResponse,
  type PushTargetResponse,
  type PushTargetsResponse,
  toPushTargetResponse,
} from '../dto/push-responses.dto';
import type { PushTargetEntity } from '../entities/push-target.entity';
import { configuredKinds } from '../rules/push-kinds.rules';
import {
  countReceipt,
  deleteTargets,
  insertTarget,
  lockReplaced,
  type NewPushTarget,
  targetById,
  targetsOf,
  updateTarget,
} from '../store/push-target.store';

/** Maximum number of targets of a user. A registration beyond it deletes the target that was not seen for longest. */
const MAX_TARGETS = 20;

/** Registers and lists the terminals of users that receive pushes (API 18.1). */
@Injectable()
export class PushTargetsService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly addresses: AddressPolicy,
    private readonly outbox: OutboxDispatcher,
  ) {}

  /** Returns the configured kinds and the public key of Web Push. */
  describeConfig(): PushConfigResponse {
    const { push } = this.config;
    return {
      kinds: configuredKinds(push),
      vapid_public_key: push.vapid?.publicKey ?? null,
      content: push.content,
    };
  }

  /** Returns the targets of a user, ordered by id. */
  async list(userId: number): Promise<PushTargetsResponse> {
    const targets = await targetsOf(this.transactions.read(), userId);
    return { items: targets.map(toPushTargetResponse) };
  }

  /**
   * Registers a terminal, or renews it: it is active and belongs to the current session. A token that another user has
   * registered moves in the same transaction, so that a device never shows messages of its former user.
   * @throws {BusinessError} VALIDATION: `kind`, `app`, `endpoint` or `terminal_id`
   */
  async register(user: Principal, body: RegisterPushTargetRequest): Promise<PushTargetResponse> {
    const target = this.#toTarget(user, body);
    const response = await this.transactions.run((em) => this.#store(em, target), {
      retryOnDuplicateKey: true,
    });
    await this.outbox.refreshSubscriptions();
    return response;
  }

  /** Deletes a target of the user. @throws {BusinessError} PUSH_TARGET_NOT_FOUND */
  async remove(userId: number, id: number): Promise<void> {
    await this.transactions.run(async (em) => {
      await this.find(id, userId, em);
      await deleteTargets(em, [id]);
    });
  }

  /** Deletes a target on behalf of an administrator, which is audited. @throws {BusinessError} PUSH_TARGET_NOT_FOUND */
  async removeOfAnyUser(id: number): Promise<void> {
    await this.transactions.run(async (em) => {
      const { user_id, kind, terminal_id } = await this.find(id, undefined, em);
      await deleteTargets(em, [id]);
      recordAudit(em, { object_id: id, before: { user_id, kind, terminal_id }, after: null });
    });
  }

  /** Counts the receipt of a push, once. @throws {BusinessError} PUSH_TARGET_NOT_FOUND */
  async confirm(userId: number, receipt: ConfirmPushRequest): Promise<void> {
    await this.transactions.run(async (em) => {
      await this.find(receipt.target_id, userId, em);
      await countReceipt(em, receipt, this.clock.now());
    });
  }

  /**
   * Returns a target.
   * @param userId its owner; undefined: any
   * @throws {BusinessError} PUSH_TARGET_NOT_FOUND
   */
  async find(
    id: number,
    userId: number | undefined,
    em: EntityManager = this.transactions.read(),
  ): Promise<PushTargetEntity> {
    const target = await targetById(em, id);
    if (target === undefined || (userId !== undefined && target.user_id !== userId))
      throw new BusinessError('PUSH_TARGET_NOT_FOUND');
    return target;
  }

  #toTarget(user: Principal, body: RegisterPushTargetRequest): NewPushTarget {
    const { kind, endpoint, token = '' } = body;
    const { push } = this.config;
    if (!configuredKinds(push).includes(kind)) throw invalidField('kind', 'invalid');
    const isWebPush = kind === 'webpush';
    if (isWebPush && !this.addresses.mayAllow(new URL(endpoint ?? '')))
      throw invalidField('endpoint', 'invalid');
    const isApns = kind === 'apns' || kind === 'apns_voip';
    const app = body.app ?? (isApns ? push.apns?.topics[0] : undefined);
    if (isApns && !push.apns?.topics.includes(app ?? '')) throw invalidField('app', 'invalid');
    const now = this.clock.now();
    const address = isWebPush ? (endpoint ?? '') : token;
    return {
      user_id: user.id,
      kind,
      terminal_id: actingTerminal(user, body.terminal_id),
      session_id: user.sid ?? null,
      token: address,
      token_hash: hashOf(kind, address),
      p256dh: isWebPush ? (body.p256dh ?? null) : null,
      auth: isWebPush ? (body.auth ?? null) : null,
      app: app ?? null,
      provider: kind === 'gateway' ? (body.provider ?? null) : null,
      sandbox: isApns && body.sandbox,
      state: 'active',
      reason: null,
      rejections: 0,
      retry_at: null,
      responsive: false,
      busy_until: null,
      busy_claim: null,
      received: 0,
      received_at: null,
      registered_at: now,
      seen_at: now,
      created_at: now,
    };
  }

  async #store(em: EntityManager, target: NewPushTarget): Promise<PushTargetResponse> {
    const replaced = await lockReplaced(em, target);
    const kept = replaced.find(
      ({ user_id, terminal_id }) => user_id === target.user_id && terminal_id === target.terminal_id,
    );
    await deleteTargets(
      em,
      replaced.filter((row) => row !== kept).map(({ id }) => id),
    );
    if (kept !== undefined) {
      const { received, received_at, created_at, busy_until, busy_claim } = kept;
      const responsive = kept.responsive && kept.token_hash === target.token_hash;
      const unchanged = { received, received_at, created_at, busy_until, busy_claim, responsive };
      await updateTarget(em, kept.id, { ...target, ...unchanged });
      return toPushTargetResponse({ ...target, id: kept.id, received, received_at, created_at });
    }
    const id = await insertTarget(em, target);
    await this.#limit(em, target.user_id, id);
    return toPushTargetResponse({ ...target, id });
  }

  async #limit(em: EntityManager, userId: number, newId: number): Promise<void> {
    const others = (await targetsOf(em, userId)).filter(({ id }) => id !== newId);
    const latestFirst = others.toSorted((a, b) => b.seen_at.getTime() - a.seen_at.getTime() || b.id - a.id);
    await deleteTargets(
      em,
      latestFirst.slice(MAX_TARGETS - 1).map(({ id }) => id),
    );
  }
}

const hashOf = (kind: string, token: string): string =>
  createHash('sha256').update(`${kind}\0${token}`).digest('base64url');
