import type { FormInstance } from 'antd';
import { useState } from 'react';
import type { CallboardError } from '@callboard/client';
import { useLanguage } from '../../shared/i18n/i18n';
import { toCallboardError } from '../../shared/session';
import { showAtField } from './field-errors';
import { useAction } from './use-action';

interface Options {
  /** Told when it is done. */
  done?: string;
  /** Which queries see another thing now, by the first part of their keys. */
  changes?: string[];
  /** Where a refusal stands that names no field itself, and in which words; undefined: it stands above the form. */
  placeOf?: (refusal: CallboardError) => { field: string; text: string } | undefined;
}

interface FormAction<Values> {
  /** Answers whether it was done. */
  submit: (values: Values) => Promise<boolean>;
  isRunning: boolean;
  /** What stands above the form: a refusal that is about no field, a lost connection. */
  problem: unknown;
}

/** Sends a form: once at a time; what is wrong with a field stands at it, and what was typed stays. */
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
