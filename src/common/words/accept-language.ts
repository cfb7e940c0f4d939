/** The languages in which the service speaks. */
export const LANGUAGES = ['zh-CN', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

/** By the first part of a tag: whoever reads `zh-Hant` or `en-GB` is best served by these. */
const BY_SUBTAG = new Map<string, Language>([
  ['zh', 'zh-CN'],
  ['en', 'en'],
]);

/** Of `Accept-Language` (RFC 9110, 12.5.4), the language of ours that is liked best; Chinese when none is. Pure. */
export function preferredLanguage(header: string | undefined): Language {
  let best: { language: Language; weight: number } = { language: 'zh-CN', weight: 0 };
  for (const range of (header ?? '').split(',')) {
    const [tag = '', ...parameters] = range.split(';');
    const language = BY_SUBTAG.get(tag.trim().toLowerCase().split('-')[0] ?? '');
    const weight = weightIn(parameters);
    // Of two that are liked alike it is the first.
    if (language !== undefined && weight > best.weight) best = { language, weight };
  }
  return best.language;
}

/** `q=0.8`; 1 where nothing is said, 0 for what cannot be read. */
function weightIn(parameters: string[]): number {
  const given = parameters.map((parameter) => /^\s*q\s*=\s*(.*?)\s*$/i.exec(parameter)?.[1]);
  const weight = given.find((value) => value !== undefined);
  if (weight === undefined) return 1;
  return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? Number(weight) : 0;
}
