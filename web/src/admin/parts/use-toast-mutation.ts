import { App } from 'antd';
import { useTranslation } from 'react-i18next';
import type { CallboardError } from '@callboard/client';
import { useLanguage } from '../../shared/i18n/i18n';
import {
  type MutationOptions,
  type ServiceMutation,
  useServiceMutation,
} from '../../shared/use-service-mutation';

interface Options extends Pick<MutationOptions, 'changes'> {
  /** Success message. */
  done?: string;
  /** Returns whether it has handled the error, for example by showing it at a field. */
  onError?: (error: CallboardError) => boolean;
}

const ERROR_SECONDS = 8;

/** A mutation whose outcome is shown in a message above the page. */
export function useToastMutation<Arguments extends unknown[]>(
  mutate: (...args: Arguments) => Promise<unknown>,
  { done, changes, onError }: Options = {},
): ServiceMutation<Arguments> {
  const { message } = App.useApp();
  const { t } = useTranslation('panel');
  const language = useLanguage();
  return useServiceMutation(
    async (...args: Arguments) => {
      await mutate(...args);
      if (done !== undefined) void message.success(done);
    },
    {
      changes,
      onError: (error) => {
        if (onError?.(error) === true) return;
        const request =
          error.requestId === undefined ? '' : ` · ${t('parts.request', { id: error.requestId })}`;
        void message.error(`${error.text(language)}${request}`, ERROR_SECONDS);
      },
    },
  );
}
