import { Empty } from 'antd';
import { useTranslation } from 'react-i18next';

interface Props {
  /** Whether the rows could not be loaded: a list that is not known is not an empty one. The reason stands above the table. */
  isFailed: boolean;
  /** Says that there are none. */
  text?: string;
}

/** Stands in a table without rows. */
export function NoRows({ isFailed, text }: Props) {
  const { t } = useTranslation('panel');
  return (
    <Empty
      image={Empty.PRESENTED_IMAGE_SIMPLE}
      description={isFailed ? t('parts.notLoaded') : (text ?? t('parts.none'))}
    />
  );
}
