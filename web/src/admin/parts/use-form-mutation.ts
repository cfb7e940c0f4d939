import type { FormInstance } from 'antd';
import { useState } from 'react';
import type { CallboardError } from '@callboard/client';
import { useLanguage } from '../../shared/i18n/i18n';
import { type ErrorPlace, showAtField } from './field-errors';
import { useToastMutation } from './use-toast-mutation';

interface Options {
  /** Success message. */
  done?: string;
  /** First key parts of the queries to refetch afterwards. */
  changes?: readonly string[];
  /** Returns the field, and optionally another text, for an error that does not name a field of the form. */
  placeOf?: (error: CallboardError) => ErrorPlace | undefined;
}

interface FormMutation<Values> {
  /** Resolves with whether it succeeded. */
  submit: (values: Values) => Promise<boolean>;
  isPending: boolean;
  /** Error shown above the form: one without a field, or a lost connection. */
  error: CallboardError | undefined;
  reset: () => void;
}

/** Submits a form, once at a time. Errors of fields are shown at the field; the input is kept. */
export function useFormMutation<Values extends object>(
  form: FormInstance<Values>,
  mutate: (values: Values) => Promise<unknown>,
  { placeOf, ...options }: Options = {},
): FormMutation<Values> {
  const language = useLanguage();
  const fields = form as FormInstance;
  const [error, setError] = useState<CallboardError>();
  const { run, isPending } = useToastMutation(mutate, {
    ...options,
    onError: (failure) => {
      if (!showAtField(fields, failure, language, placeOf?.(failure))) setError(failure);
      return true;
    },
  });
  const submit = (values: Values): Promise<boolean> => {
    setError(undefined);
    fields.setFields(Object.keys(values).map((name) => ({ name, errors: [] })));
    return run(values);
  };
  return { submit, isPending, error, reset: () => setError(undefined) };
}
