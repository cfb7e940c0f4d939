import { ApiProperty } from '@nestjs/swagger';
import { checkText, field, Flag, INVALID, NOT_AN_OBJECT, OneOf } from '../../common/input/fields';
import { Timestamp } from '../../common/input/moment-fields';
import { RequestExample } from '../../openapi/request-example.decorator';
import { IntegerList, OneOfTexts, TimestampField } from '../../openapi/response-fields';
import { MESSAGE_TYPE, PREVIEWS, type Preview, type TypeChoice } from '../rules/preferences.rules';
import { areWeekdays, isTimeOfDay, isTimeZone, type QuietHours } from '../rules/quiet-hours.rules';
import { quietHoursOf, type StoredPreferences } from '../store/preferences.store';

const MAX_TYPE = 50;

const TIME_OF_DAY = String.raw`^([01]\d|2[0-3]):[0-5]\d$`;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const QUIET_HOURS_CHECKS: Record<keyof QuietHours, (value: unknown) => boolean> = {
  enabled: (value) => typeof value === 'boolean',
  from: isTimeOfDay,
  to: isTimeOfDay,
  days: areWeekdays,
  time_zone: isTimeZone,
};

/** Keeps the known fields of quiet hours, so that only they are stored. */
const knownHours = (value: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.keys(QUIET_HOURS_CHECKS).map((name) => [name, value[name]]));

/** `quiet_hours`: null or all five fields. A violation names the field, as in `quiet_hours.time_zone 取值无效`. */
const QuietHoursField = (): PropertyDecorator =>
  field({
    optional: true,
    nullable: true,
    read: (value) => (isObject(value) ? knownHours(value) : value),
    check: (value) => {
      if (!isObject(value)) return NOT_AN_OBJECT;
      for (const [name, isValid] of Object.entries(QUIET_HOURS_CHECKS)) {
        if (isValid(value[name])) continue;
        return { part: `quiet_hours.${name}`, problem: value[name] === undefined ? 'required' : INVALID };
      }
      return undefined;
    },
    schema: { type: () => QuietHoursResponse },
  });

const CHOICE_SCHEMA = {
  in_app: { type: 'boolean', description: 'Whether such notifications enter the inbox', example: true },
  push: { type: 'boolean', description: 'Whether they are pushed', example: false },
} as const;

const isChoice = (value: unknown): boolean =>
  value === null ||
  (isObject(value) &&
    ['in_app', 'push'].every((name) => value[name] === undefined || typeof value[name] === 'boolean'));

/** Keeps the known fields of a choice. */
const knownChoice = (value: unknown): unknown =>
  isObject(value) ? { in_app: value['in_app'], push: value['push'] } : value;

/** `types`: choices by type; null removes one. A violation names the type, as in `types.system 取值无效`. */
const TypeChoicesField = (): PropertyDecorator =>
  field({
    optional: true,
    read: (value) =>
      isObject(value)
        ? Object.fromEntries(Object.entries(value).map(([type, choice]) => [type, knownChoice(choice)]))
        : (value ?? undefined),
    check: (value) => {
      if (!isObject(value)) return NOT_AN_OBJECT;
      for (const [type, choice] of Object.entries(value)) {
        if (type.trim() === '' || checkText(type, { max: MAX_TYPE }) !== undefined) return INVALID;
        if (!isChoice(choice)) return { part: `types.${type}`, problem: INVALID };
        // The inbox of notifications has no chats: there is nothing to keep out.
        if (type === MESSAGE_TYPE && (choice as TypeChoice | null)?.in_app === false)
          return { part: `types.${type}.in_app`, problem: INVALID };
      }
      return undefined;
    },
    schema: {
      type: 'object',
      additionalProperties: { type: 'object', nullable: true, properties: CHOICE_SCHEMA },
    },
  });

/** Only the fields that are sent are changed. */
@RequestExample({
  quiet_hours: {
    enabled: true,
    from: '22:00',
    to: '07:00',
    days: [1, 2, 3, 4, 5],
    time_zone: 'Asia/Shanghai',
  },
  types: { system: { push: false } },
})
export class ChangePreferencesRequest {
  /** End of do-not-disturb; null ends it. */
  @Timestamp({ optional: true, nullable: true })
  dnd_until?: Date | null;

  /** Hours in which pushes are silent; null removes them. */
  @QuietHoursField()
  quiet_hours?: QuietHours | null;

  /** Whether calls ring in quiet hours. */
  @Flag({ optional: true })
  calls_when_quiet?: boolean;

  /**
   * How much of its content a push shows: text, names and titles only, or neither.
   * @example "names"
   */
  @OneOf(PREVIEWS, { optional: true })
  preview?: Preview;

  /**
   * Choices by type of notification, `message` for chats; null removes a choice. At most 100 types are stored. Omitted
   * fields of a type keep their values.
   * @example {"system": {"push": false}}
   */
  @TypeChoicesField()
  types?: Record<string, Partial<TypeChoice> | null>;
}

/** Hours in which pushes are silent. */
export class QuietHoursResponse implements QuietHours {
  /** Whether the hours apply. */
  enabled!: boolean;
  /**
   * Start on the wall clock of the zone.
   * @example "22:00"
   */
  @ApiProperty({ pattern: TIME_OF_DAY })
  from!: string;
  /**
   * End; before `from`: on the next day; equal to `from`: the whole day.
   * @example "07:00"
   */
  @ApiProperty({ pattern: TIME_OF_DAY })
  to!: string;
  /**
   * Days on which they start: 1 (Monday) to 7 (Sunday).
   * @example [1, 2, 3, 4, 5]
   */
  @IntegerList(1, 7)
  days!: number[];
  /**
   * IANA time zone.
   * @example "Asia/Shanghai"
   */
  time_zone!: string;
}

/** Preferences of a user about notifications and pushes. */
export class PreferencesResponse {
  /** End of do-not-disturb; null: off. */
  @TimestampField()
  dnd_until!: Date | null;
  /** Hours in which pushes are silent; null: none. */
  quiet_hours!: QuietHoursResponse | null;
  /** Whether calls ring in quiet hours. */
  calls_when_quiet!: boolean;
  /**
   * How much of its content a push shows: text, names and titles only, or neither.
   * @example "full"
   */
  @OneOfTexts(...PREVIEWS)
  preview!: Preview;
  /**
   * Choices by type of notification, `message` for chats; all other types are on.
   * @example {"system": {"in_app": true, "push": false}}
   */
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'object', required: ['in_app', 'push'], properties: CHOICE_SCHEMA },
  })
  types!: Record<string, TypeChoice>;
  /**
   * Number of changes so far; 0: the default preferences.
   * @example 3
   */
  version!: number;
}

/** Returns the response; types in alphabetical order. */
export function toPreferencesResponse({ row, types }: StoredPreferences): PreferencesResponse {
  const { dnd_until, quiet_hours, calls_when_quiet, preview, version } = row;
  return {
    dnd_until,
    quiet_hours: quietHoursOf(quiet_hours),
    calls_when_quiet,
    preview,
    types: Object.fromEntries([...types].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    version,
  };
}
