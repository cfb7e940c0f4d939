import { SettingOutlined } from '@ant-design/icons';
import { Button, Checkbox, Modal } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import './column-chooser.css';

interface Props<Column> {
  options: { value: Column; label: string }[];
  visible: readonly Column[];
  onChange: (visible: readonly Column[]) => void;
}

/** Selects the columns of a list. */
export function ColumnPicker<Column extends string>({ options, visible, onChange }: Props<Column>) {
  const { t } = useTranslation('panel');
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button icon={<SettingOutlined aria-hidden />} onClick={() => setOpen(true)}>
        {t('lists.columns')}
      </Button>
      <Modal
        open={isOpen}
        width={360}
        title={t('lists.columns')}
        onCancel={() => setOpen(false)}
        footer={
          <Button type="primary" onClick={() => setOpen(false)}>
            {t('parts.close')}
          </Button>
        }
      >
        <Checkbox.Group<Column>
          className="column-chooser"
          value={[...visible]}
          options={options}
          onChange={onChange}
        />
      </Modal>
    </>
  );
}
