import type { FormInstance } from 'antd';
import { useState } from 'react';
import type { CallboardError } from '@callboard/client';
import { useLanguage } from '../../shared/i18n/i18n';
import { toCallboardError } from '../../shared/session';
import { showAtField } from './field-errors';
import { useAction } from './use-action';

interface Options {
  /** Success message. */
  done?: string;
  /** First parts of the query keys to invalidate. */
  changes?: string[];
  /**
   * Returns the field and the text for an error that names no field. If undefined, the error is shown above the form.
   */
  placeOf?: (refusal: CallboardError) => { field: string; text: string } | undefined;
}

interface FormAction<Values> {
  /** Resolves with whether it succeeded. */
  submit: (values: Values) => Promise<boolean>;
  isRunning: boolean;
  /** Error shown above the form: one without a field, or a lost connection. */
  problem: unknown;
}

/** Submits a form, once at a time. Field errors are shown at the field; the input is kept. */
export function useFormAction<Values extends object>(
  form: FormInstance<Values>,
  act: (values: Values) => Promise<unknown>,
  { done, changes, placeOf }: Options = {},
): FormAction<Values> {
  const language = useLanguage();
  const [problem, setProblem] = useState<unknown>();
  const { run, isRunning } = useAction(act, {
    done,
    changes,
    onError: (error) => {
      const place = placeOf?.(toCallboardError(error));
      if (place !== undefined) {
        setErrors(form, place.field, [place.text]);
        form.scrollToField(place.field, { focus: true });
      } else if (!showAtField(form as FormInstance, error, language)) setProblem(error);
      return true;
    },
  });
  const submit = (values: Values): Promise<boolean> => {
    setProblem(undefined);
    for (const field of Object.keys(values)) setErrors(form, field, []);
    return run(values);
  };
  return { submit, isRunning, problem };
}

const setErrors = <Values>(form: FormInstance<Values>, field: string, errors: string[]): void =>
  (form as FormInstance).setFields([{ name: field, errors }]);
