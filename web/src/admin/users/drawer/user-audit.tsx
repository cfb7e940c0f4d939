import { Flex } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { LatestEntries } from '../../parts/audit/latest-entries';

/** The latest audit entries about a user, and of the user as actor. */
export function UserAudit({ userId }: { userId: number }) {
  const { t } = useTranslation('panel');
  return (
    <Flex vertical gap="middle">
      <section aria-labelledby="audit-about">
        <h2 id="audit-about">{t('users.audit.about')}</h2>
        <LatestEntries filters={{ object_type: 'user', object_id: String(userId) }} />
        <Link href={`/audit?object_type=user&object_id=${userId}`}>{t('users.audit.allAbout')}</Link>
      </section>
      <section aria-labelledby="audit-by">
        <h2 id="audit-by">{t('users.audit.by')}</h2>
        <LatestEntries filters={{ actor_type: 'user', actor_id: userId }} />
        <Link href={`/audit?actor_type=user&actor_id=${userId}`}>{t('users.audit.allBy')}</Link>
      </section>
    </Flex>
  );
}
