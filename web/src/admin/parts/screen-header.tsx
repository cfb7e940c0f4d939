import { Flex, Typography } from 'antd';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';

/** Title of a screen and of the browser tab, with the actions of the screen. */
export function ScreenHeader({ title, children }: { title: string; children?: ReactNode }) {
  const { t } = useTranslation('panel');
  const whole = `${title} · ${t('title')}`;
  useEffect(() => {
    document.title = whole;
  }, [whole]);
  return (
    <Flex justify="space-between" align="center" gap="middle" wrap className="screen-header">
      <Typography.Title level={1}>{title}</Typography.Title>
      <Flex gap="small" wrap>
        {children}
      </Flex>
    </Flex>
  );
}
