import { Empty } from 'antd';
import { useTranslation } from 'react-i18next';

interface Props {
  /** Whether the rows could not be loaded, so that the table does not claim to be empty. The reason is shown above it. */
  isFailed: boolean;
  /** Text for an empty table. */
  text?: string;
}

/** Content of a table without rows. */
export function NoRows({ isFailed, text }: Props) {
  const { t } = useTranslation('panel');
  return (
    <Empty
      image={Empty.PRESENTED_IMAGE_SIMPLE}
      description={isFailed ? t('parts.notLoaded') : (text ?? t('parts.none'))}
    />
  );
}
