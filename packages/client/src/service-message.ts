import { MESSAGES, type ServiceErrorKey, WHOLE_BODY } from './generated/errors.gen.js';

/** A language in which the service and this package have messages. */
export type Language = 'zh-CN' | 'en';

/** Position of each language in a row of `MESSAGES`. */
const POSITION: Record<Language, 0 | 1> = { 'zh-CN': 0, en: 1 };

/** A parsed message of the service. */
export interface ServiceMessage {
  key: ServiceErrorKey;
  /** The field of a 422; undefined if the message is not about a field. */
  field: string | undefined;
  /** The numbers in the message, as sent: `7, 9`. Empty if there are none. */
  numbers: string;
  /** Whether the message is about the request body as a whole. */
  isOfBody: boolean;
}

/** Maps the messages of both languages to their keys. */
const KEYS: ReadonlyMap<string, ServiceErrorKey> = new Map(
  (Object.keys(MESSAGES) as ServiceErrorKey[]).flatMap((key) => {
    const [, ...texts] = MESSAGES[key];
    return texts.map((text) => [text, key] as const);
  }),
);

/** Returns the key of a code that has exactly one key, else undefined. */
export function findOnlyKey(code: unknown): ServiceErrorKey | undefined {
  const keys = (Object.keys(MESSAGES) as ServiceErrorKey[]).filter((key) => MESSAGES[key][0] === code);
  return keys.length === 1 ? keys[0] : undefined;
}

/** Parses a message of the service in either language. Returns undefined for a message that this version does not know. */
export function parseServiceMessage(message: string): ServiceMessage | undefined {
  const whole = findSentence(message);
  if (whole !== undefined) return { ...whole, field: undefined, isOfBody: false };
  const body = WHOLE_BODY.find((words) => message.startsWith(`${words} `));
  const [field = ''] = body === undefined ? message.split(' ', 1) : [body];
  const problem = findSentence(message.slice(field.length + 1));
  if (problem === undefined) return undefined;
  return { ...problem, field: body === undefined ? field : undefined, isOfBody: body !== undefined };
}

const NUMBERS = /\d+(?:, \d+)*/;

function findSentence(sentence: string): Pick<ServiceMessage, 'key' | 'numbers'> | undefined {
  const fixed = KEYS.get(sentence);
  if (fixed !== undefined) return { key: fixed, numbers: '' };
  const [numbers = ''] = NUMBERS.exec(sentence) ?? [];
  const key = KEYS.get(sentence.replace(numbers, '#'));
  return key === undefined ? undefined : { key, numbers };
}

/** Renders a parsed message in `language`. */
export function renderServiceMessage(
  { key, field, numbers, isOfBody }: ServiceMessage,
  language: Language,
): string {
  const position = POSITION[language];
  const [, ...texts] = MESSAGES[key];
  const sentence = texts[position].replace('#', numbers);
  const subject = isOfBody ? WHOLE_BODY[position] : field;
  return subject === undefined ? sentence : `${subject} ${sentence}`;
}
