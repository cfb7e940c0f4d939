import { useQuery } from '@tanstack/react-query';
import { Button, Drawer, Flex, Grid, Skeleton, Tabs } from 'antd';
import { useTranslation } from 'react-i18next';
import type { AdminConversationDetailResponse } from '@callboard/client';
import { callboard } from '../../../shared/callboard';
import { toCallboardError } from '../../../shared/session';
import { useUrlState } from '../../../shared/url-state';
import { ErrorAlert } from '../../parts/error-alert';
import { LatestEntries } from '../../parts/audit/latest-entries';
import { oneOf } from '../../parts/filters/one-of';
import { useConfirm } from '../../parts/use-confirm';
import { useToastMutation } from '../../parts/use-toast-mutation';
import { useConversationName } from '../conversation-columns';
import { ConversationFacts } from './conversation-facts';
import { ConversationMembers } from './conversation-members';
import { Inspection } from './inspection';

const NOT_FOUND = 404;
const TABS = ['facts', 'members', 'messages', 'audit'] as const;

/** Everything about the conversation in the URL (`conversation`), in tabs (`tab`). */
export function ConversationDrawer() {
  const { t } = useTranslation('panel');
  const url = useUrlState();
  const isWide = Grid.useBreakpoint().md ?? true;
  const id = url.number('conversation');
  const close = (): void => url.set({ conversation: null, tab: null });
  const { data, error, refetch } = useQuery({
    queryKey: ['conversations', 'one', id],
    queryFn: ({ signal }) => callboard.conversations.getDetails({ path: { id: id ?? 0 }, signal }),
    enabled: id !== undefined,
  });
  const isGone = error !== null && toCallboardError(error).code === NOT_FOUND;
  const conversation = isGone ? undefined : data;
  return (
    <Drawer
      open={id !== undefined}
      size={isWide ? 680 : '100%'}
      title={conversation === undefined ? t('conversations.one') : <Title conversation={conversation} />}
      extra={conversation?.type === 'group' && <CloseGroup conversation={conversation} onClosed={close} />}
      destroyOnHidden
      closable={{ 'aria-label': t('parts.close') }}
      onClose={close}
    >
      <ErrorAlert
        error={error}
        advice={isGone ? t('conversations.gone') : undefined}
        onRetry={isGone ? undefined : () => void refetch()}
      />
      {conversation === undefined && error === null && <Skeleton active title={false} />}
      {conversation !== undefined && <Content key={conversation.id} conversation={conversation} />}
    </Drawer>
  );
}

interface Props {
  conversation: AdminConversationDetailResponse;
}

const Title = ({ conversation }: Props) => <h2>{useConversationName(conversation)}</h2>;

function Content({ conversation }: Props) {
  const { t } = useTranslation('panel');
  const url = useUrlState();
  const { id } = conversation;
  const content = {
    facts: <ConversationFacts conversation={conversation} />,
    members: <ConversationMembers id={id} />,
    messages: <Inspection id={id} />,
    audit: <LatestEntries filters={{ object_type: 'conversation', object_id: String(id) }} />,
  };
  return (
    <Tabs
      activeKey={oneOf(TABS, url.text('tab')) ?? 'facts'}
      onChange={(tab) => url.set({ tab: tab === 'facts' ? null : tab })}
      items={TABS.map((key) => ({ key, label: t(`conversations.tabs.${key}`), children: content[key] }))}
    />
  );
}

function CloseGroup({ conversation, onClosed }: Props & { onClosed: () => void }) {
  const { t } = useTranslation('panel');
  const confirm = useConfirm();
  const name = useConversationName(conversation);
  const closing = useToastMutation(
    async () => {
      await callboard.conversations.close({ path: { id: conversation.id } });
      // Before the lists are refetched, so that the group itself is not.
      onClosed();
    },
    { done: t('conversations.closed', { name }), changes: ['conversations', 'audit'] },
  );
  const close = async (): Promise<void> => {
    const question = {
      title: t('conversations.askClose', { name }),
      content: t('conversations.closeHint', { count: conversation.member_count }),
      ok: t('conversations.close'),
    };
    if (await confirm(question)) await closing.run();
  };
  return (
    <Flex>
      <Button danger loading={closing.isPending} onClick={() => void close()}>
        {t('conversations.close')}
      </Button>
    </Flex>
  );
}
