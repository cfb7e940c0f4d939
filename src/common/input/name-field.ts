import type { LocalizedMessage } from '../i18n/catalogue';
import { checkText, EMPTY, field, INVALID, nullAsOmitted } from './fields';
import { hasControls, isInvisible } from '../visible-text';

/**
 * The name of a user, group, device, conversation or key, of at most `max` characters, at least one of them visible.
 * Names are displayed in lists, where a line break or a bidi control could imitate other content (API 1.4).
 * Required unless `optional`.
 */
export const Name = ({ max, optional = false }: { max: number; optional?: boolean }): PropertyDecorator =>
  field({
    optional,
    read: nullAsOmitted,
    check: (value) => checkName(value, max),
    schema: { type: String, maxLength: max },
  });

/** Returns the violation of a name of at most `max` characters; undefined if it is valid. */
export function checkName(value: unknown, max: number): LocalizedMessage | undefined {
  const isBlank = typeof value === 'string' && !value.includes('\0') && isInvisible(value);
  if (isBlank) return EMPTY;
  return checkText(value, { max }) ?? (hasControls(value as string) ? INVALID : undefined);
}
