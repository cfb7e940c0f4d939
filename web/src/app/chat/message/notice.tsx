import { useQueries } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { MessageResponse } from '@callboard/client';
import { callboard } from '../../../shared/callboard';
import { asClock, useFormat } from '../../../shared/format';

/** As many as the service names. */
const MOST_NAMED = 3;

/** Something that happened in the conversation, in the words of the page's language. */
export function Notice({ message, rowKey }: { message: MessageResponse; rowKey: string }) {
  const time = useFormat().time(message.created_at);
  const text = useNoticeText(message);
  return (
    <p className="notice" data-key={rowKey} tabIndex={-1}>
      {text} <time>{time}</time>
    </p>
  );
}

function useNoticeText({ notice, sender_name, sender_id, display_content }: MessageResponse): string {
  const { t } = useTranslation('client');
  const by = sender_name ?? `#${sender_id}`;
  const ids = notice?.user_ids ?? [];
  const people = useQueries({
    queries: ids.slice(0, MOST_NAMED).map((id) => ({
      queryKey: ['profile', id],
      queryFn: () => callboard.people.getProfile({ path: { id } }),
      staleTime: Infinity,
    })),
  });
  const names = people.flatMap(({ data }) => data?.name ?? []);
  const isNamed = names.length === Math.min(ids.length, MOST_NAMED);
  const all =
    names.join(t('chat.and')) + (ids.length > MOST_NAMED ? t('chat.andOthers', { count: ids.length }) : '');
  switch (notice?.event) {
    case 'members_added':
      return isNamed ? t('chat.notices.added', { by, names: all }) : display_content;
    case 'member_removed':
      return isNamed ? t('chat.notices.removed', { by, names: all }) : display_content;
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
    if (notice === null || notice === undefined) return '';
    if ((notice.duration ?? 0) > 0) return asClock(notice.duration ?? 0);
    // What became of a call stands in brackets before it; the rest is the service's.
    if (notice.end_reason === 'busy') return t('chat.notices.busy');
    if (notice.status === 'rejected') return t('chat.notices.rejected');
    if (notice.status === 'cancelled') return t('chat.notices.cancelled');
    return notice.status === 'ended' ? asClock(0) : t('chat.notices.missed');
  }
}
