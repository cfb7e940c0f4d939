import { Injectable } from '@nestjs/common';
import { recordAudit } from '../../audit/recording/record-audit';
import { Clock } from '../../common/clock';
import { BusinessError } from '../../common/errors/business-error';
import { keysetPage, type ListName, readCursor } from '../../common/http/keyset';
import { Transactions } from '../../database/transactions';
import {
  type AnnouncementResponse,
  type AnnouncementsResponse,
  type ListAnnouncementsQuery,
  toAnnouncementResponse,
} from '../dto/announcements.dto';
import { insertRecall } from '../store/announcement-recalls.store';
import { announcementById, markRecalled, newestAnnouncements } from '../store/announcement.store';
import { AnnouncementReach } from './announcement-reach';
import { AnnouncementRecalls } from './announcement-recalls';

const LIST: ListName = ['announcements'];

/** Lists and recalls announcements (API 10.4). */
@Injectable()
export class AnnouncementsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly recalls: AnnouncementRecalls,
    private readonly reach: AnnouncementReach,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns a page of announcements, newest first. Starts counting stale reaches; later requests return the result.
   * @throws {BusinessError} VALIDATION `cursor 取值无效`
   */
  async list({ limit, cursor }: ListAnnouncementsQuery): Promise<AnnouncementsResponse> {
    const found = await newestAnnouncements(this.transactions.read(), readCursor(LIST, cursor), limit + 1);
    this.reach.requestCounts(found.slice(0, limit));
    return keysetPage(LIST, { found, limit }, toAnnouncementResponse);
  }

  /** Returns one announcement, as in the list. @throws {BusinessError} ANNOUNCEMENT_NOT_FOUND */
  async get(id: number): Promise<AnnouncementResponse> {
    const found = await announcementById(this.transactions.read(), id);
    if (found === undefined) throw new BusinessError('ANNOUNCEMENT_NOT_FOUND');
    this.reach.requestCounts([found]);
    return toAnnouncementResponse(found);
  }

  /** Counts the reach of an announcement now, unless its count is recent or another instance is counting it. */
  countReach(id: number): Promise<void> {
    return this.reach.count(id);
  }

  /**
   * Recalls an announcement permanently: no inbox materialises it any more, and existing copies are removed in the
   * background. Idempotent.
   * @throws {BusinessError} ANNOUNCEMENT_NOT_FOUND
   */
  async recall(id: number): Promise<AnnouncementResponse> {
    const isNewlyRecalled = await this.transactions.run(async (em) => {
      const now = this.clock.now();
      const isFirst = await markRecalled(em, id, now);
      if (isFirst) {
        await insertRecall(em, id, now);
        recordAudit(em, { object_id: id, before: { status: 'sent' }, after: { status: 'recalled' } });
      }
      return isFirst;
    });
    if (isNewlyRecalled) this.recalls.wake();
    return this.get(id);
  }
}
