import type { FormInstance } from 'antd';

/**
 * Sets the fields of a form to the saved values, except those that were changed while the request was running.
 *
 * @param sent the values of the form that were saved
 * @returns whether a field was changed meanwhile
 */
export function refillForm<Values extends object>(
  form: FormInstance<Values>,
  sent: Values,
  saved: Values,
): boolean {
  const fields = form as FormInstance;
  const unchanged = Object.entries(saved).filter(
    ([name]) => JSON.stringify(fields.getFieldValue(name)) === JSON.stringify(sent[name as keyof Values]),
  );
  fields.setFieldsValue(Object.fromEntries(unchanged));
  return unchanged.length < Object.keys(saved).length;
}
