import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Languages } from '../../../common/words/languages';
import type { FixedText } from '../../../common/words/words';
import { CONFIG, type Config } from '../../../config/config';
import { type CallFacts, type CallOutcome, clockTime, type FinishedCall } from '../../rules/notice';
import { lockSingleChat } from '../../store/marks/notice-rows';
import { NoticeWriter } from './notice-writer';

const LABELS: Record<CallFacts['media_type'], FixedText> = { audio: '[语音通话]', video: '[视频通话]' };
const OUTCOMES: Record<CallOutcome, FixedText> = {
  answered: '通话时长',
  no_answer: '未接听',
  cancelled: '已取消',
  rejected: '已拒绝',
  busy: '对方忙线中',
};

/**
 * Writes notices of calls into the single chat of the two users, if `CHAT_NOTICES` contains `calls` (contract 16.3).
 */
@Injectable()
export class CallNoticesService {
  readonly #isOn: boolean;

  constructor(
    private readonly writer: NoticeWriter,
    private readonly languages: Languages,
    @Inject(CONFIG) { chatNotices }: Config,
  ) {
    this.#isOn = chatNotices.includes('calls');
  }

  /**
   * Writes the notice of a call that ends in this transaction, with the caller as its sender. Locks the single chat of
   * the two users; without one there is no notice.
   */
  async write(em: EntityManager, { caller_id, callee_id, outcome, facts }: FinishedCall): Promise<void> {
    if (!this.#isOn) return;
    const chat = await lockSingleChat(em, caller_id, callee_id);
    if (chat === undefined) return;
    const { texts } = this.languages.words;
    const parts = [texts[LABELS[facts.media_type]], texts[OUTCOMES[outcome]]];
    if (outcome === 'answered') parts.push(clockTime(facts.duration));
    const notice = { event: 'call' as const, ...facts };
    await this.writer.write(em, chat, caller_id, { notice, content: parts.join(' ') });
  }
}
