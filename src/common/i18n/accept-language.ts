/** Languages of the messages. */
export const LANGUAGES = ['zh-CN', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Languages by primary subtag, also for regional tags such as `zh-Hant` and `en-GB`. */
const BY_SUBTAG = new Map<string, Language>([
  ['zh', 'zh-CN'],
  ['en', 'en'],
]);

/**
 * Returns the supported language with the highest weight in `Accept-Language` (RFC 9110, 12.5.4); Chinese if there is
 * none. Pure.
 */
export function preferredLanguage(header: string | undefined): Language {
  let best: { language: Language; weight: number } = { language: 'zh-CN', weight: 0 };
  for (const range of (header ?? '').split(',')) {
    const [tag = '', ...parameters] = range.split(';');
    const language = BY_SUBTAG.get(tag.trim().toLowerCase().split('-')[0] ?? '');
    const weight = weightIn(parameters);
    // Of two languages with the same weight, the first one wins.
    if (language !== undefined && weight > best.weight) best = { language, weight };
  }
  return best.language;
}

/** Returns the weight (`q=0.8`); 1 if there is none, 0 if it is malformed. */
function weightIn(parameters: string[]): number {
  const values = parameters.map((parameter) => /^\s*q\s*=\s*(.*?)\s*$/i.exec(parameter)?.[1]);
  const weight = values.find((value) => value !== undefined);
  if (weight === undefined) return 1;
  return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? Number(weight) : 0;
}
