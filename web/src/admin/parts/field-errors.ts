import type { FormInstance } from 'antd';
import type { Language } from '../../shared/i18n/i18n';
import { toCallboardError } from '../../shared/session';

/**
 * Shows a 422 at the field that it names (`name 字段不能为空`, docs/errors.md). Answers whether there is such a field in the
 * form; what is typed stays.
 */
export function showAtField(form: FormInstance, error: unknown, language: Language): boolean {
  const refusal = toCallboardError(error);
  if (refusal.code !== 422) return false;
  const [path = ''] = refusal.message.split(' ');
  // Lists are named by their first part: `scopes.0`.
  const [field = ''] = path.split(/[.[]/);
  if (!(field in (form.getFieldsValue(true) as object)) && form.getFieldInstance(field) === undefined)
    return false;
  form.setFields([{ name: field, errors: [refusal.text(language)] }]);
  form.scrollToField(field, { focus: true });
  return true;
}
