import { ERRORS } from '../../src/common/errors/error-catalogue';
import { EN } from '../../src/common/words/en';
import type { Words } from '../../src/common/words/words';
import { ZH_CN } from '../../src/common/words/zh-cn';

const HEADING = '// Made by `npm run client:generate` from the catalogue of errors: do not edit.\n';

/** What may stand behind the name of a field in a 422, and the sentences that stand alone. */
const PHRASES = [
  '请求体',
  '字段不能为空',
  '取值无效',
  '必须是字符串',
  '必须是整数',
  '必须是数组',
  '必须是对象',
  '上级分组不存在',
  '不能移动到自身或下级分组',
] as const;

/** Any number, which the client puts back. */
const NUMBER = 7;

/** What the service says with a number, or a list of them, in it. */
const withNumber = (words: Words): string[] => [
  words.tooLong(NUMBER),
  words.tooShort(NUMBER),
  words.tooSmall(NUMBER),
  words.tooLarge(NUMBER),
  words.tooMany(NUMBER),
  words.tooDeep(NUMBER),
  words.unknownUsers([NUMBER]),
  words.unknownDevices([NUMBER]),
  words.unknownGroups([NUMBER]),
];

/** The sentences that have numbers, with `#` in their place. */
function patterns(): [chinese: string, english: string][] {
  const [chinese, english] = [ZH_CN, EN].map((words) =>
    withNumber(words).map((text) => text.replace(String(NUMBER), '#')),
  );
  return (chinese ?? []).map((text, index) => [text, english?.[index] ?? text]);
}

const quoted = (text: string): string => `'${text.replaceAll("'", "\\'")}'`;

/** The source of `errors.gen.ts`: every code of the service, and its messages in English by the Chinese ones. */
export function renderErrors(): string {
  const codes = [...new Set(Object.values(ERRORS).map(({ code }) => code))].toSorted((a, b) => a - b);
  const rows = [
    ...Object.entries(ERRORS).map(
      ([key, { message }]) => [message, EN.errors[key as keyof typeof ERRORS]] as const,
    ),
    ...PHRASES.map((phrase) => [phrase, EN.texts[phrase]] as const),
    ...patterns(),
  ];
  return [
    HEADING,
    '/** What the service refuses with (docs/errors.md). */',
    `export type ServiceErrorCode =\n${codes.map((code) => `  | ${code}`).join('\n')};\n`,
    '/** The service’s sentences in English, by the Chinese ones; `#` stands for numbers. */',
    `export const ENGLISH: ReadonlyMap<string, string> = new Map([\n${rows
      .map(([chinese, english]) => `  [${quoted(chinese)}, ${quoted(english)}],`)
      .join('\n')}\n]);\n`,
  ].join('\n');
}
