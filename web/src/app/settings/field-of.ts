import type { CallboardError } from '@callboard/client';
import type { Language } from '../../shared/i18n/i18n';

/** The field that a 422 is about (`name 字段不能为空`, docs/errors.md); undefined of any other error. */
export function fieldOf(error: CallboardError | undefined): string | undefined {
  return error?.code === 422 ? error.message.split(' ')[0] : undefined;
}

/** What is wrong with a field, to stand beside it: without its name; undefined where the error is not about it. */
export function problemAt(
  field: string,
  error: CallboardError | undefined,
  language: Language,
): string | undefined {
  if (error === undefined || fieldOf(error) !== field) return undefined;
  const [, ...words] = error.text(language).split(' ');
  const text = words.join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
