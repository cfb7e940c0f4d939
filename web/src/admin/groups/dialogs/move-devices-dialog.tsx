import { Form, Modal } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PickerOption } from '../../parts/remote-picker';
import type { GroupTree } from '../model/group-tree';
import { ParentPicker } from './parent-picker';
import type { DialogModal } from './dialog-modal';

interface Props {
  tree: GroupTree;
  fromGroupId: number;
  count: number;
  /** Resolves with whether the move succeeded. */
  onMove: (toGroupId: number) => Promise<boolean>;
  modal: DialogModal;
}

/** Moves devices into another group without dragging (WCAG 2.5.7). */
export function MoveDevicesDialog({ tree, fromGroupId, count, onMove, modal }: Props) {
  const { t } = useTranslation('panel');
  const pickerId = useId();
  const [target, setTarget] = useState<PickerOption | null>(null);
  const [isMoving, setMoving] = useState(false);
  const move = async (): Promise<void> => {
    if (isMoving || target === null) return;
    setMoving(true);
    const isMoved = await onMove(target.value);
    setMoving(false);
    if (isMoved) modal.onCancel();
  };
  return (
    <Modal
      {...modal}
      title={t('groups.moveDevices', { count })}
      okText={t('groups.move')}
      cancelText={t('parts.cancel')}
      okButtonProps={{ disabled: target === null }}
      confirmLoading={isMoving}
      onOk={() => void move()}
    >
      <Form layout="vertical">
        <Form.Item label={t('groups.target')} htmlFor={pickerId}>
          <ParentPicker
            id={pickerId}
            tree={tree}
            isExcluded={(id) => id === fromGroupId}
            value={target}
            onChange={setTarget}
          />
        </Form.Item>
      </Form>
    </Modal>
  );
}
