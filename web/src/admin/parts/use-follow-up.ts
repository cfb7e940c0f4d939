import { App } from 'antd';
import { useLanguage } from '../../shared/i18n/i18n';
import { toCallboardError } from '../../shared/session';

interface Texts {
  /** Success message. */
  done: string;
  /** Returns the warning for a permanent error. */
  warning: (reason: string) => string;
}

const WARNING_SECONDS = 8;

/**
 * Returns a function that waits for the second request of a form, which concerns the object that the first one has created,
 * and shows the outcome of both. It rejects only with transient errors, after which the form can be submitted again. A
 * permanent one is a warning, because the object exists.
 */
export function useFollowUp(): (request: Promise<unknown> | undefined, texts: Texts) => Promise<void> {
  const { message } = App.useApp();
  const language = useLanguage();
  return async (request, { done, warning }) => {
    try {
      await request;
      void message.success(done);
    } catch (thrown) {
      const error = toCallboardError(thrown);
      if (error.isTransient) throw error;
      void message.warning(warning(error.text(language)), WARNING_SECONDS);
    }
  };
}
