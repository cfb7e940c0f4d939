import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock';
import { cacheByCost } from '../../common/concurrency/cache-load';
import { invalidField } from '../../common/errors/business-error';
import { INVALID } from '../../common/input/fields';
import { CONFIG, type Config } from '../../config/config';
import { Transactions } from '../../database/transactions';
import type {
  CallStatisticsQuery,
  CallStatisticsResponse,
  OverviewDayResponse,
  OverviewResponse,
  PresentFiguresResponse,
} from '../dto/statistics.dto';
import { CalendarDays, daysFrom, daysWithin, plusDays } from '../rules/calendar-days.rules';
import { OUTCOMES } from '../rules/call-figures.rules';
import { statisticsOf, sumsOf } from '../rules/call-statistics.rules';
import { ACTIVE_USERS, ALL_DAYS, callMetrics, MESSAGES, NEW_USERS, USERS } from '../rules/metrics.rules';
import { readDailyFigures } from '../store/daily-figures.store';
import { storageSums } from '../store/storage-sums.store';
import { callsUnderWay, countOnlineUsers, countTree, devicesOnline } from '../store/present-figures.store';
import { StreamCounts } from './stream-counts';

const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;

/** Reads daily metrics and current counts. The cost does not grow with the number of counted rows (API 15.3). */
@Injectable()
export class StatisticsService {
  readonly #hasPresence: boolean;
  readonly #hasFiles: boolean;
  readonly #tree = cacheByCost(() => countTree(this.transactions.read()));
  readonly #storage = cacheByCost(() => storageSums(this.transactions.read(), this.clock.now()));
  readonly #calls = cacheByCost(() => callsUnderWay(this.transactions.read()));
  readonly #users = cacheByCost(() => countOnlineUsers(this.transactions.read(), this.clock.now()));

  constructor(
    @Inject(CONFIG) { people, attachments }: Config,
    private readonly days: CalendarDays,
    private readonly transactions: Transactions,
    private readonly streams: StreamCounts,
    private readonly clock: Clock,
  ) {
    this.#hasPresence = people.presence;
    this.#hasFiles = attachments.storage !== undefined;
  }

  /**
   * Returns the call statistics of each day of a range, and their total.
   * @throws {BusinessError} VALIDATION `to 取值无效`: `to` is before `from`, or the range has more than 366 days
   */
  async calls({ from, to, media_type }: CallStatisticsQuery): Promise<CallStatisticsResponse> {
    const last = to ?? this.#today();
    const first = from ?? plusDays(last, 1 - DEFAULT_DAYS);
    const count = daysWithin(first, last);
    if (count < 1 || count > MAX_DAYS) throw invalidField('to', INVALID);
    const figures = await readDailyFigures(this.transactions.read(), callMetrics(undefined, media_type), {
      from: first,
      to: last,
    });
    const { byDay, total } = sumsOf(figures);
    return {
      days: daysFrom(first, last).map((day) => ({ day, ...statisticsOf(byDay.get(day)) })),
      total: statisticsOf(total),
    };
  }

  /** Returns the current counts, the totals, and the metrics of the last 30 days including today. */
  async overview(): Promise<OverviewResponse> {
    const today = this.#today();
    const [now, tree, users, storage, days] = await Promise.all([
      this.#currentCounts(),
      this.#tree(),
      this.#userTotal(),
      this.#hasFiles ? this.#storage() : null,
      this.#lastDays(today),
    ]);
    return { now, totals: { users, ...tree }, storage, today: days.at(-1) as OverviewDayResponse, days };
  }

  async #currentCounts(): Promise<PresentFiguresResponse> {
    const [calls, streams, users_online, devices_online] = await Promise.all([
      this.#calls(),
      this.streams.count(),
      this.#hasPresence ? this.#users() : null,
      devicesOnline(this.transactions.read()),
    ]);
    return { ...calls, streams, users_online, devices_online };
  }

  async #userTotal(): Promise<number> {
    const range = { from: ALL_DAYS, to: ALL_DAYS };
    const [users] = await readDailyFigures(this.transactions.read(), [USERS], range);
    return users?.value ?? 0;
  }

  async #lastDays(today: string): Promise<OverviewDayResponse[]> {
    const first = plusDays(today, 1 - DEFAULT_DAYS);
    const otherMetrics = [MESSAGES, ACTIVE_USERS, NEW_USERS];
    const metrics = [...callMetrics(OUTCOMES), ...otherMetrics];
    const figures = await readDailyFigures(this.transactions.read(), metrics, { from: first, to: today });
    const { byDay } = sumsOf(figures.filter(({ metric }) => !otherMetrics.includes(metric)));
    const valueOf = (metric: string, day: string): number =>
      figures.find((figure) => figure.metric === metric && figure.day === day)?.value ?? 0;
    return daysFrom(first, today).map((day) => {
      const { created, answered } = statisticsOf(byDay.get(day));
      return {
        day,
        calls: created,
        answered,
        messages: valueOf(MESSAGES, day),
        active_users: valueOf(ACTIVE_USERS, day),
        new_users: valueOf(NEW_USERS, day),
      };
    });
  }

  #today(): string {
    return this.days.of(this.clock.now().getTime());
  }
}
