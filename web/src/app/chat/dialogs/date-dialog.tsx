import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorMessage } from '../../../shared/error-message';
import { useServiceMutation } from '../../../shared/use-service-mutation';
import { useFormat } from '../../format';
import { Dialog } from '../../parts/dialog';
import { useOpenChat } from '../chat-context';
import { findDay } from '../history/find-day';

interface Props {
  /** Day that is selected at first: `2026-01-31`. */
  date: string;
  onClose: () => void;
}

/** Asks for a day and scrolls to its first message. Closing the dialog stops the search. */
export function DateDialog({ date, onClose }: Props) {
  const { t } = useTranslation('client');
  const format = useFormat();
  const { conversation, jumpTo } = useOpenChat();
  const [day, setDay] = useState(date);
  const [today] = useState(() => format.date(new Date().toISOString()));
  const search = useRef<AbortController>(undefined);
  useEffect(() => () => search.current?.abort(), []);
  const jump = useServiceMutation(async () => {
    const { signal } = (search.current = new AbortController());
    const id = await findDay(conversation.id, day, format.date, signal);
    onClose();
    if (id !== undefined) jumpTo(id);
  });
  return (
    <Dialog title={t('chat.jumpToDate')} onClose={onClose}>
      <form
        className="date-form"
        onSubmit={(event) => {
          event.preventDefault();
          void jump.run();
        }}
      >
        <input
          type="date"
          required
          aria-label={t('chat.day')}
          value={day}
          max={today}
          onChange={({ target }) => setDay(target.value)}
        />
        <button type="submit" className="primary" disabled={day === '' || jump.isPending}>
          {t('chat.jump')}
        </button>
      </form>
      {jump.error !== undefined && <ErrorMessage error={jump.error} />}
    </Dialog>
  );
}
