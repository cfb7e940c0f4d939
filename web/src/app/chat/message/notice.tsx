import { useQueries } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { MessageResponse } from '@callboard/client';
import { callboard } from '../../../shared/callboard';
import { Timestamp } from '../../parts/timestamp';
import { useOutcomeText } from '../../calls/end-text';

/** Maximum number of users named in a notice; the service's text names as many. */
const MAX_NAMED = 3;

/** A notice of the conversation, in the language of the page. */
export function Notice({ message, rowKey }: { message: MessageResponse; rowKey: string }) {
  const text = useNoticeText(message);
  return (
    <p className="notice" data-key={rowKey} tabIndex={-1}>
      {text} <Timestamp moment={message.sent_at} format="time" />
    </p>
  );
}

/** End reasons of unanswered calls. */
const UNANSWERED = new Set(['no_answer', 'busy', 'user_disabled', 'admin_end']);

type NoticeMessage = Pick<
  MessageResponse,
  'notice' | 'sender_name' | 'sender_id' | 'is_self' | 'display_content'
>;

/** Returns the text of a notice in the language of the page; for an unknown event, the text of the service. */
export function useNoticeText(message: NoticeMessage): string {
  const { notice, sender_name, sender_id, is_self: isSelf, display_content } = message;
  const { t } = useTranslation('client');
  const outcomeText = useOutcomeText();
  const by = sender_name ?? `#${sender_id}`;
  const ids = notice?.user_ids ?? [];
  const people = useQueries({
    queries: ids.slice(0, MAX_NAMED).map((id) => ({
      queryKey: ['profile', id],
      queryFn: () => callboard.people.getProfile({ path: { id } }),
      staleTime: Infinity,
    })),
  });
  const names = people.flatMap(({ data }) => data?.name ?? []);
  const isNamed = names.length === Math.min(ids.length, MAX_NAMED);
  const all =
    names.join(t('chat.and')) + (ids.length > MAX_NAMED ? t('chat.andOthers', { count: ids.length }) : '');
  switch (notice?.event) {
    case 'members_added':
      return isNamed
        ? t('chat.notices.added', { by, names: all })
        : t('chat.notices.addedSome', { by, count: ids.length });
    case 'member_removed':
      return isNamed ? t('chat.notices.removed', { by, names: all }) : t('chat.notices.removedOne', { by });
    case 'member_left':
      return t('chat.notices.left', { by });
    case 'renamed':
      return t('chat.notices.renamed', { by, name: notice.name ?? '' });
    case 'avatar_changed':
      return t('chat.notices.avatar', { by });
    case 'call':
      return `${t(notice.media_type === 'video' ? 'chat.notices.video' : 'chat.notices.audio')} · ${callText()}`;
    default:
      return display_content;
  }

  function callText(): string {
    const { status = '', end_reason: endReason = null, duration = 0 } = notice ?? {};
    const isAnswered = duration > 0 || (status === 'ended' && !UNANSWERED.has(endReason ?? ''));
    // The sender of a call notice is the caller.
    const role = isSelf ? 'caller' : 'callee';
    return outcomeText({ role, status, endReason, duration: isAnswered ? duration : null });
  }
}
