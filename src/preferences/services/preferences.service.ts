import { Injectable } from '@nestjs/common';
import { invalidField } from '../../common/errors/business-error';
import { sentFields } from '../../common/input/sent-fields';
import { Transactions } from '../../database/transactions';
import { EventsService } from '../../events/events.service';
import {
  type ChangePreferencesRequest,
  type PreferencesResponse,
  toPreferencesResponse,
} from '../dto/preferences.dto';
import {
  decidePush,
  DEFAULT_CHOICE,
  DEFAULT_RULES,
  MAX_TYPES,
  type PushDecision,
  type PushSubject,
  type TypeChoice,
  typeOf,
} from '../rules/preferences.rules';
import {
  lockPreferences,
  readPreferences,
  readPushRules,
  storePreferences,
  storeTypeChoices,
} from '../store/preferences.store';

/** The preferences of users (API 10.5). */
@Injectable()
export class PreferencesService {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: EventsService,
  ) {}

  /** Returns the preferences of a user; the default ones if the user has not changed any. */
  async get(userId: number): Promise<PreferencesResponse> {
    return toPreferencesResponse(await readPreferences(this.transactions.read(), userId));
  }

  /**
   * Decides about a push to users that is sent at `now`. One statement for up to 500 users. Nothing is cached: a change
   * applies to the next push.
   * @returns the decision for each of the users
   */
  async decidePushes(
    userIds: readonly number[],
    subject: PushSubject,
    now: Date,
  ): Promise<Map<number, PushDecision>> {
    const rules = await readPushRules(this.transactions.read(), userIds, typeOf(subject));
    return new Map(userIds.map((id) => [id, decidePush(rules.get(id) ?? DEFAULT_RULES, subject, now)]));
  }

  /**
   * Changes the fields that are sent. The row is locked, so concurrent changes of different fields are all kept. A
   * change to the stored values has no effect.
   * @throws {BusinessError} VALIDATION `types 数量不能超过 100`
   */
  change(
    userId: number,
    { types: sentTypes = {}, ...body }: ChangePreferencesRequest,
  ): Promise<PreferencesResponse> {
    return this.transactions.run(async (em) => {
      const stored = await lockPreferences(em, userId);
      const { quiet_hours, ...others } = body;
      const row = {
        ...stored.row,
        ...sentFields(others),
        ...(quiet_hours === undefined
          ? {}
          : { quiet_hours: quiet_hours === null ? null : JSON.stringify(quiet_hours) }),
      };
      const choices = new Map<string, TypeChoice | null>(
        Object.entries(sentTypes).map(([type, sent]) => [
          type,
          sent && { ...(stored.types.get(type) ?? DEFAULT_CHOICE), ...sentFields(sent) },
        ]),
      );
      const types = new Map(stored.types);
      for (const [type, choice] of choices) {
        if (choice === null) types.delete(type);
        else types.set(type, choice);
      }
      if (types.size > MAX_TYPES) throw invalidField('types', (catalogue) => catalogue.tooMany(MAX_TYPES));
      const before = toPreferencesResponse(stored);
      const after = toPreferencesResponse({ row, types });
      if (JSON.stringify(before) === JSON.stringify(after)) return before;
      const changed = { ...row, version: row.version + 1 };
      await storePreferences(em, changed);
      await storeTypeChoices(em, userId, choices);
      const preferences = toPreferencesResponse({ row: changed, types });
      this.events.append(em, [{ userId, type: 'preferences.updated', payload: { preferences } }]);
      return preferences;
    });
  }
}
