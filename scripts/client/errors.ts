import { ERRORS, type ErrorKey } from '../../src/common/errors/error-catalogue';
import { EN } from '../../src/common/words/en';
import type { FixedText, Words } from '../../src/common/words/words';
import { ZH_CN } from '../../src/common/words/zh-cn';

const HEADING = '// Made by `npm run client:generate` from the catalogue of errors: do not edit.\n';

/** Stands in a message for a number, or a list of numbers. */
const PLACEHOLDER = '#';
const NUMBER = 7;

/** The messages of a 422 without numbers: behind the name of a field, or alone. Each has a key of its own. */
const PROBLEMS = {
  EMPTY: '字段不能为空',
  INVALID: '取值无效',
  NOT_A_STRING: '必须是字符串',
  NOT_AN_INTEGER: '必须是整数',
  NOT_AN_ARRAY: '必须是数组',
  NOT_AN_OBJECT: '必须是对象',
  PARENT_NOT_FOUND: '上级分组不存在',
  MOVED_INTO_ITSELF: '不能移动到自身或下级分组',
} as const satisfies Record<string, FixedText>;

/** The messages of a 422 that contain a number or a list of numbers. */
const PROBLEMS_WITH_NUMBERS = {
  TOO_LONG: (words) => words.tooLong(NUMBER),
  TOO_SHORT: (words) => words.tooShort(NUMBER),
  TOO_SMALL: (words) => words.tooSmall(NUMBER),
  TOO_LARGE: (words) => words.tooLarge(NUMBER),
  TOO_MANY: (words) => words.tooMany(NUMBER),
  TOO_DEEP: (words) => words.tooDeep(NUMBER),
  UNKNOWN_USERS: (words) => words.unknownUsers([NUMBER]),
  UNKNOWN_DEVICES: (words) => words.unknownDevices([NUMBER]),
  UNKNOWN_GROUPS: (words) => words.unknownGroups([NUMBER]),
} as const satisfies Record<string, (words: Words) => string>;

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
    ...Object.entries(PROBLEMS).map(([key, text]) => ({
      key,
      code,
      chinese: ZH_CN.texts[text],
      english: EN.texts[text],
    })),
    ...Object.entries(PROBLEMS_WITH_NUMBERS).map(([key, say]) => ({
      key,
      code,
      chinese: template(say(ZH_CN)),
      english: template(say(EN)),
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
    '/** Stands in place of a field where a 422 is about the whole body, in Chinese and in English. */',
    `export const WHOLE_BODY = [${quoted(ZH_CN.texts.请求体)}, ${quoted(EN.texts.请求体)}] as const;\n`,
  ].join('\n');
}
