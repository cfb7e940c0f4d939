import type { FormInstance } from 'antd';
import type { CallboardError } from '@callboard/client';
import type { Language } from '../../shared/i18n/i18n';

export interface ErrorPlace {
  field: string;
  /** Replaces the text of the error. */
  text?: string;
}

/**
 * Shows an error at `place`, or at the field that it names. Returns whether the form has such a field. Keeps the input.
 */
export function showAtField(
  form: FormInstance,
  error: CallboardError,
  language: Language,
  place = placeIn(form, error),
): boolean {
  if (place === undefined) return false;
  const { field, text = error.text(language) } = place;
  form.setFields([{ name: field, errors: [text] }]);
  form.scrollToField(field, { focus: true });
  return true;
}

function placeIn(form: FormInstance, error: CallboardError): ErrorPlace | undefined {
  // Errors of list items, such as `scopes.0`, are shown at the list.
  const field = error.field?.split(/[.[]/)[0];
  if (field === undefined) return undefined;
  const isInForm =
    field in (form.getFieldsValue(true) as object) || form.getFieldInstance(field) !== undefined;
  return isInForm ? { field } : undefined;
}
