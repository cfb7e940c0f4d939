import type { FormInstance } from 'antd';
import type { Language } from '../../shared/i18n/i18n';
import { toCallboardError } from '../../shared/session';

/** Shows a 422 at the field that it names. Returns whether the form has such a field. Keeps the input. */
export function showAtField(form: FormInstance, error: unknown, language: Language): boolean {
  const refusal = toCallboardError(error);
  if (refusal.field === undefined) return false;
  // Errors of list items, such as `scopes.0`, are shown at the list.
  const [field = ''] = refusal.field.split(/[.[]/);
  if (!(field in (form.getFieldsValue(true) as object)) && form.getFieldInstance(field) === undefined)
    return false;
  form.setFields([{ name: field, errors: [refusal.text(language)] }]);
  form.scrollToField(field, { focus: true });
  return true;
}
