import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MessageResponse } from '@callboard/client';
import { callboard } from '../../shared/callboard';
import { lazyPart } from '../../shared/parts/lazy-part';
import { useOpenChat } from '../chat/chat-context';
import { Dialog } from '../parts/dialog';
import { Retry } from '../parts/retry';
import { Timestamp } from '../parts/timestamp';
import { PictureWithPreview } from './album';
import { FileCard } from './file-card';
import { type Medium, mediaOf } from './media';
import { OnDemand } from './on-demand';
import './attachments.css';

const Viewer = lazyPart(async () => (await import('./viewer')).Viewer);

const PER_PAGE = 100;
/** Pages of the history that one step reads at most, and the number of messages with media after which it stops. */
const MAX_PAGES = 5;
const ENOUGH = 24;

interface Found {
  messages: MessageResponse[];
  /** Id before which the next step starts; undefined at the start of the history. */
  next: number | undefined;
}

/** Reads the history of a chat backwards until enough messages with media were found. Marks nothing read. */
async function findMedia(id: number, start: number | undefined, signal: AbortSignal): Promise<Found> {
  const messages: MessageResponse[] = [];
  let before = start;
  for (let page = 0; page < MAX_PAGES && messages.length < ENOUGH; page += 1) {
    const query = { before_id: before, per_page: PER_PAGE, mark_read: 0 } as const;
    const { items } = await callboard.messages.list({ path: { id }, query, signal });
    messages.push(...items.filter((message) => mediaOf(message).length > 0));
    before = items.at(-1)?.id;
    if (items.length < PER_PAGE) return { messages, next: undefined };
  }
  return { messages, next: before };
}

type Tab = 'photos' | 'files';
const TABS: readonly Tab[] = ['photos', 'files'];

/** Dialog with the pictures, videos and files of the open chat, newest first. */
export function SharedMedia({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('client');
  const { conversation, jumpTo } = useOpenChat();
  const { id } = conversation;
  const [tab, setTab] = useState<Tab>('photos');
  const [shown, setShown] = useState<number>();
  const { data, error, hasNextPage, fetchNextPage, isFetching, refetch } = useInfiniteQuery({
    queryKey: ['shared-media', id],
    queryFn: ({ pageParam, signal }) => findMedia(id, pageParam, signal),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next }) => next,
  });
  const entries = (data?.pages ?? [])
    .flatMap(({ messages }) => messages)
    .flatMap((message) => mediaOf(message).map((medium) => ({ message, medium })));
  const photos = entries.filter(({ medium: { type } }) => type === 'image' || type === 'video');
  const files = entries.filter(({ medium: { type } }) => type === 'file');
  const pictures = photos.map(({ medium }) => medium).filter(({ type }) => type === 'image');
  const isEmpty = (tab === 'photos' ? photos : files).length === 0;
  const open = (message: MessageResponse, medium: Medium): void => {
    if (medium.type === 'image') return setShown(pictures.indexOf(medium));
    onClose();
    jumpTo(message.id);
  };
  return (
    <Dialog title={t('attachments.shared')} onClose={onClose}>
      <fieldset className="media-tabs" aria-label={t('attachments.shared')}>
        {TABS.map((each) => (
          <button key={each} type="button" aria-pressed={tab === each} onClick={() => setTab(each)}>
            {t(`attachments.${each}`)}
          </button>
        ))}
      </fieldset>
      {error !== null && <Retry error={error} onRetry={() => void refetch()} />}
      {tab === 'photos' && (
        <ul className="album media-grid">
          {photos.map(({ message, medium }) => (
            <li key={`${message.id}-${medium.key}`}>
              <button type="button" className="picture-button" onClick={() => open(message, medium)}>
                {medium.type === 'image' ? (
                  <PictureWithPreview medium={medium} label={medium.name ?? t('conversations.types.image')} />
                ) : (
                  // oxlint-disable-next-line jsx-a11y/media-has-caption -- shows one frame, and is not played here
                  <video
                    src={medium.url}
                    poster={medium.poster}
                    preload="metadata"
                    aria-label={medium.name ?? t('conversations.types.video')}
                  />
                )}
              </button>
            </li>
          ))}
        </ul>
      )}
      {tab === 'files' && (
        <ul className="plain-list media-files">
          {files.map(({ message, medium }) => (
            <li key={`${message.id}-${medium.key}`}>
              <FileCard medium={medium} />
              <span className="soft">
                {message.sender_name} · <Timestamp moment={message.sent_at} format="moment" />
              </span>
            </li>
          ))}
        </ul>
      )}
      {isEmpty && !isFetching && (
        <p className="soft">{t(tab === 'photos' ? 'attachments.noPhotos' : 'attachments.noFiles')}</p>
      )}
      {hasNextPage && (
        <button type="button" disabled={isFetching} onClick={() => void fetchNextPage()}>
          {t('attachments.earlier')}
        </button>
      )}
      {shown !== undefined && (
        <OnDemand>
          <Viewer pictures={pictures} start={shown} onClose={() => setShown(undefined)} />
        </OnDemand>
      )}
    </Dialog>
  );
}
