import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Catalogues } from '../../common/i18n/catalogues';
import type { MessageKey } from '../../common/i18n/catalogue';
import { CONFIG, type Config } from '../../config/config';
import { type CallFacts, type CallOutcome, clockTime, type CallNotice } from '../rules/notice.rules';
import { lockSingleChat } from '../store/notice.store';
import { NoticeWriter } from './notice-writer';

const LABELS: Record<CallFacts['media_type'], MessageKey> = { audio: 'voiceCall', video: 'videoCall' };
const OUTCOMES: Record<CallOutcome, MessageKey> = {
  answered: 'duration',
  no_answer: 'noAnswer',
  cancelled: 'cancelled',
  rejected: 'declined',
  busy: 'busy',
};

/**
 * Writes notices of calls into the single chat of the two users, if `CHAT_NOTICES` contains `calls` (API 8.11).
 */
@Injectable()
export class CallNoticesService {
  readonly #isOn: boolean;

  constructor(
    private readonly writer: NoticeWriter,
    private readonly languages: Catalogues,
    @Inject(CONFIG) { chatNotices }: Config,
  ) {
    this.#isOn = chatNotices.includes('calls');
  }

  /**
   * Writes the notice of a call that ends in this transaction, with the caller as its sender. Locks the single chat of
   * the two users; without one there is no notice.
   */
  async write(em: EntityManager, { caller_id, callee_id, outcome, facts }: CallNotice): Promise<void> {
    if (!this.#isOn) return;
    const chat = await lockSingleChat(em, caller_id, callee_id);
    if (chat === null) return;
    const { messages } = this.languages.catalogue;
    const parts = [messages[LABELS[facts.media_type]], messages[OUTCOMES[outcome]]];
    if (outcome === 'answered') parts.push(clockTime(facts.duration));
    const notice = { event: 'call' as const, ...facts };
    await this.writer.write(em, chat, caller_id, { notice, content: parts.join(' ') });
  }
}
