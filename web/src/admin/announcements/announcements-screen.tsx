import { PlusOutlined } from '@ant-design/icons';
import { Button, Flex } from 'antd';
import { useTranslation } from 'react-i18next';
import { callboard } from '../../shared/callboard';
import { useUrlState } from '../../shared/url-state';
import { CursorTable, useCursorList } from '../parts/tables/cursor-table';
import { FilterBar } from '../parts/filters/filter-bar';
import { useListView } from '../parts/tables/use-list-view';
import { ErrorAlert } from '../parts/error-alert';
import { ScreenHeader } from '../parts/screen-header';
import { ComposeDrawer } from './compose/compose-drawer';
import { AnnouncementDrawer } from './detail/announcement-drawer';
import { useAnnouncementColumns } from './use-announcement-columns';
import './announcements.css';

const PER_PAGE = 50;
const REFETCH_MS = 30_000;
/** Polling interval during a count. The service counts on request and is done soon. */
const COUNTING_MS = 2_000;

/** Lists announcements with their reach, and opens the form for a new one. */
export function AnnouncementsScreen() {
  const { t } = useTranslation('panel');
  const url = useUrlState();
  const view = useListView('announcements', useAnnouncementColumns());
  const list = useCursorList({
    queryKey: ['announcements', 'list'],
    fetch: (cursor, signal) => callboard.announcements.list({ query: { limit: PER_PAGE, cursor }, signal }),
    refetchEvery: (rows) => (rows.some(({ reach }) => reach.counted_at === null) ? COUNTING_MS : REFETCH_MS),
  });
  return (
    <>
      <ScreenHeader title={t('screens.announcements')}>
        <Button
          type="primary"
          icon={<PlusOutlined aria-hidden />}
          aria-haspopup="dialog"
          onClick={() => url.set({ compose: true }, { push: true })}
        >
          {t('announcements.compose')}
        </Button>
      </ScreenHeader>
      <Flex vertical gap="small">
        <ErrorAlert error={list.error} onRetry={list.refetch} />
        <FilterBar names={[]} view={view} />
        <CursorTable list={list} rowKey="id" view={view} />
      </Flex>
      <ComposeDrawer />
      <AnnouncementDrawer />
    </>
  );
}
