import { Flex } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { AdminConversationDetailResponse } from '@callboard/client';
import { useFormat } from '../../format';
import { Chart } from '../../overview/charts/chart';
import '../../overview/overview.css';

/** Numbers of a conversation: members, messages, activity by day and by sender. */
export function ConversationFacts({ conversation }: { conversation: AdminConversationDetailResponse }) {
  const { t } = useTranslation('panel');
  const format = useFormat();
  const { days, senders, counted_messages: counted } = conversation;
  return (
    <Flex vertical gap="middle">
      <dl className="conversation-facts">
        <dt>{t('conversations.id')}</dt>
        <dd>{conversation.id}</dd>
        <dt>{t('conversations.type')}</dt>
        <dd>{t(`conversations.types.${conversation.type}`)}</dd>
        <dt>{t('conversations.members')}</dt>
        <dd>{format.number(conversation.member_count)}</dd>
        <dt>{t('conversations.messages')}</dt>
        <dd>
          {format.number(conversation.message_count)}
          {conversation.notice_count > 0 &&
            ` · ${t('conversations.notices', { total: format.number(conversation.notice_count) })}`}
        </dd>
        <dt>{t('conversations.lastMessage')}</dt>
        <dd>{format.dateTime(conversation.last_message_at)}</dd>
        <dt>{t('conversations.created')}</dt>
        <dd>{format.dateTime(conversation.created_at)}</dd>
      </dl>
      <Chart
        title={t('conversations.byDay', { total: format.number(counted) })}
        bars={days.map(({ day, messages }) => ({ from: day, to: day, values: [messages] }))}
        series={[{ name: 'messages', label: t('conversations.messages') }]}
      />
      {senders.length > 0 && (
        <section aria-labelledby="top-senders">
          <h3 id="top-senders">{t('conversations.senders')}</h3>
          <ol className="top-senders" aria-labelledby="top-senders">
            {senders.map(({ user_id, name, messages }) => (
              <li key={user_id}>
                <Link href={`/users?user=${user_id}`}>{name ?? t('parts.unnamedUser', { id: user_id })}</Link>
                <meter
                  min={0}
                  max={counted}
                  value={messages}
                  aria-label={name ?? t('parts.unnamedUser', { id: user_id })}
                />
                <span>{format.number(messages)}</span>
              </li>
            ))}
          </ol>
        </section>
      )}
    </Flex>
  );
}
