import { App } from 'antd';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '../../shared/i18n/i18n';
import { queryClient } from '../../shared/query-client';
import { toCallboardError } from '../../shared/session';

interface Action<Arguments extends unknown[]> {
  /** Resolves with whether it succeeded. Errors are shown in a message, unless `onError` handles them. */
  run: (...args: Arguments) => Promise<boolean>;
  isRunning: boolean;
}

interface Options {
  /** Success message. */
  done?: string;
  /** First parts of the query keys to invalidate. */
  changes?: string[];
  /** Returns whether it has handled the error, for example by showing it at a field. */
  onError?: (error: unknown) => boolean;
}

/** A request that changes data. It runs once at a time, however often it is clicked, and its outcome is shown. */
export function useAction<Arguments extends unknown[]>(
  act: (...args: Arguments) => Promise<unknown>,
  { done, changes = [], onError }: Options = {},
): Action<Arguments> {
  const { message } = App.useApp();
  const { t } = useTranslation('panel');
  const language = useLanguage();
  const [isRunning, setRunning] = useState(false);
  const running = useRef(false);

  const tell = (thrown: unknown): void => {
    const error = toCallboardError(thrown);
    const request = error.requestId === undefined ? '' : ` · ${t('parts.request', { id: error.requestId })}`;
    void message.error(`${error.text(language)}${request}`, 8);
  };
  const run = async (...args: Arguments): Promise<boolean> => {
    if (running.current) return false;
    running.current = true;
    setRunning(true);
    try {
      await act(...args);
      if (done !== undefined) void message.success(done);
      return true;
    } catch (error) {
      if (onError?.(error) !== true) tell(error);
      return false;
    } finally {
      running.current = false;
      setRunning(false);
      // Also after an error, because the state of the service is unknown then.
      await Promise.all(changes.map((key) => queryClient.invalidateQueries({ queryKey: [key] })));
    }
  };
  return { run, isRunning };
}
