import { Flex } from 'antd';
import { useTranslation } from 'react-i18next';
import type { AdminConversationResponse } from '@callboard/client';
import { callboard } from '../../shared/callboard';
import { useUrlState } from '../../shared/url-state';
import { ErrorAlert } from '../parts/error-alert';
import { ChoiceFilter } from '../parts/filters/choice-filter';
import { FilterBar } from '../parts/filters/filter-bar';
import { TextFilter } from '../parts/filters/text-filter';
import { useUserName } from '../parts/people/user-name';
import { UserPicker } from '../parts/remote-picker';
import { ScreenHeader } from '../parts/screen-header';
import { CursorTable, useCursorList } from '../parts/tables/cursor-table';
import { useListView } from '../parts/tables/use-list-view';
import { useConversationColumns } from './conversation-columns';
import { CONVERSATION_FILTERS, CONVERSATION_TYPES, conversationsQueryOf } from './conversations-query';
import { ConversationDrawer } from './detail/conversation-drawer';
import './conversations.css';

const PER_PAGE = 50;
/** Maximum length that the service accepts. */
const MAX_KEYWORD = 100;

/** The conversations of all users, without contents. */
export function ConversationsScreen() {
  const { t } = useTranslation('panel');
  const url = useUrlState();
  const filters = conversationsQueryOf(url);
  const view = useListView('conversations', useConversationColumns());
  const list = useCursorList<AdminConversationResponse>({
    queryKey: ['conversations', 'list', filters],
    fetch: (cursor, signal) =>
      callboard.conversations.listAll({ query: { ...filters, limit: PER_PAGE, cursor }, signal }),
  });
  return (
    <>
      <ScreenHeader title={t('screens.conversations')} />
      <FilterBar names={CONVERSATION_FILTERS} view={view}>
        <TextFilter name="keyword" label={t('conversations.keyword')} maxLength={MAX_KEYWORD} />
        <ChoiceFilter
          name="type"
          label={t('conversations.type')}
          options={CONVERSATION_TYPES.map((value) => ({ value, label: t(`conversations.types.${value}`) }))}
        />
        <MemberFilter userId={filters.user_id} />
      </FilterBar>
      <Flex vertical gap="small">
        <ErrorAlert error={list.error} onRetry={list.refetch} />
        <CursorTable
          list={list}
          rowKey="id"
          view={view}
          isFiltered={CONVERSATION_FILTERS.some((name) => url.text(name) !== undefined)}
        />
      </Flex>
      <ConversationDrawer />
    </>
  );
}

function MemberFilter({ userId }: { userId: number | undefined }) {
  const { t } = useTranslation('panel');
  const url = useUrlState();
  const name = useUserName(userId);
  return (
    <UserPicker
      aria-label={t('conversations.member')}
      placeholder={t('conversations.member')}
      style={{ width: '16rem', maxWidth: '100%' }}
      value={userId === undefined ? null : { value: userId, label: name }}
      onChange={([picked]) => url.set({ member: picked?.value })}
    />
  );
}
