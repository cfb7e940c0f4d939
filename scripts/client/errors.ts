import { ERRORS, type ErrorKey } from '../../src/common/errors/error-catalogue';
import { EN } from '../../src/common/i18n/en';
import type { MessageKey, MessageCatalogue } from '../../src/common/i18n/catalogue';
import { ZH_CN } from '../../src/common/i18n/zh-cn';

const HEADING = '// Made by `npm run client:generate` from the catalogue of errors: do not edit.\n';

/** Placeholder in a message for a number or a list of numbers. */
const PLACEHOLDER = '#';
const NUMBER = 7;

/** Messages of a 422 without numbers, either after a field name or alone. Each has its own key. */
const PROBLEMS = {
  EMPTY: 'required',
  INVALID: 'invalid',
  NOT_A_STRING: 'notAString',
  NOT_AN_INTEGER: 'notAnInteger',
  NOT_AN_ARRAY: 'notAnArray',
  NOT_AN_OBJECT: 'notAnObject',
  PARENT_NOT_FOUND: 'parentGroupNotFound',
  MOVED_INTO_ITSELF: 'groupIntoItself',
} as const satisfies Record<string, MessageKey>;

/** Messages of a 422 that contain a number or a list of numbers. */
const PROBLEMS_WITH_NUMBERS = {
  TOO_LONG: (catalogue) => catalogue.tooLong(NUMBER),
  TOO_SHORT: (catalogue) => catalogue.tooShort(NUMBER),
  TOO_SMALL: (catalogue) => catalogue.tooSmall(NUMBER),
  TOO_LARGE: (catalogue) => catalogue.tooLarge(NUMBER),
  TOO_MANY: (catalogue) => catalogue.tooMany(NUMBER),
  TOO_DEEP: (catalogue) => catalogue.tooDeep(NUMBER),
  UNKNOWN_USERS: (catalogue) => catalogue.unknownUsers([NUMBER]),
  UNKNOWN_DEVICES: (catalogue) => catalogue.unknownDevices([NUMBER]),
  UNKNOWN_GROUPS: (catalogue) => catalogue.unknownGroups([NUMBER]),
} as const satisfies Record<string, (catalogue: MessageCatalogue) => string>;

interface Row {
  key: string;
  code: number;
  chinese: string;
  english: string;
}

const template = (text: string): string => text.replace(String(NUMBER), PLACEHOLDER);

function rows(): Row[] {
  const { code } = ERRORS.VALIDATION;
  return [
    ...Object.entries(ERRORS).map(([key, error]) => ({
      key,
      code: error.code,
      chinese: error.message,
      english: EN.errors[key as ErrorKey],
    })),
    ...Object.entries(PROBLEMS).map(([key, message]) => ({
      key,
      code,
      chinese: ZH_CN.messages[message],
      english: EN.messages[message],
    })),
    ...Object.entries(PROBLEMS_WITH_NUMBERS).map(([key, message]) => ({
      key,
      code,
      chinese: template(message(ZH_CN)),
      english: template(message(EN)),
    })),
  ];
}

const quoted = (text: string): string => `'${text.replaceAll("'", "\\'")}'`;

/** Returns the source of `errors.gen.ts`: every code and key of the service, and its messages in both languages. */
export function renderErrors(): string {
  const all = rows();
  const codes = [...new Set(all.map(({ code }) => code))].toSorted((a, b) => a - b);
  return [
    HEADING,
    '/** The codes of error responses (docs/errors.md). */',
    `export type ServiceErrorCode =\n${codes.map((code) => `  | ${code}`).join('\n')};\n`,
    '/** The keys of error responses (docs/errors.md). The keys after `NOT_PARTICIPANT` are violations of a 422. */',
    `export type ServiceErrorKey =\n${all.map(({ key }) => `  | '${key}'`).join('\n')};\n`,
    '/** The code and the message of each error, in Chinese and in English; `#` stands for numbers. */',
    'export const MESSAGES: Readonly<',
    '  Record<ServiceErrorKey, readonly [code: ServiceErrorCode, chinese: string, english: string]>',
    `> = {\n${all
      .map(
        ({ key, code, chinese, english }) => `  ${key}: [${code}, ${quoted(chinese)}, ${quoted(english)}],`,
      )
      .join('\n')}\n};\n`,
    '/** Takes the place of the field name in a 422 about the whole body, in Chinese and in English. */',
    `export const WHOLE_BODY = [${quoted(ZH_CN.messages.requestBody)}, ${quoted(EN.messages.requestBody)}] as const;\n`,
  ].join('\n');
}
