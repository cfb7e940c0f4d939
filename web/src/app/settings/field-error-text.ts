import type { CallboardError } from '@callboard/client';
import type { Language } from '../../shared/i18n/i18n';

/** Returns the violation of a field without the field's name; undefined if the error is about something else. */
export function fieldErrorText(
  field: string,
  error: CallboardError | undefined,
  language: Language,
): string | undefined {
  if (error === undefined || error.field !== field) return undefined;
  const text = error.text(language).slice(field.length + 1);
  return text.charAt(0).toUpperCase() + text.slice(1);
}
