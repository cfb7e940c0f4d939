import { Form, Modal, Radio } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PickerOption } from '../../parts/remote-picker';
import { DROP_POSITIONS, type DropPosition, toPlacement } from '../model/drag';
import { type GroupTree, isWithin, type Placement, withoutDescendants } from '../model/group-tree';
import { ParentPicker } from './parent-picker';
import type { DialogModal } from './dialog-modal';

interface Props {
  tree: GroupTree;
  ids: readonly number[];
  /** Resolves with whether the move succeeded. */
  onMove: (placement: Placement) => Promise<boolean>;
  modal: DialogModal;
}

const WHERE = ['into', 'before', 'after', 'top'] as const satisfies (DropPosition | 'top')[];

/** Moves groups without dragging (WCAG 2.5.7). */
export function MoveDialog({ tree, ids, onMove, modal }: Props) {
  const { t } = useTranslation('panel');
  const pickerId = useId();
  const [where, setWhere] = useState<DropPosition | 'top'>('into');
  const [target, setTarget] = useState<PickerOption | null>(null);
  const [isMoving, setMoving] = useState(false);
  const going = withoutDescendants(tree, ids);
  const [first] = going;
  const leaving = new Set(going);
  const isReady = where === 'top' || (target !== null && tree.groups.has(target.value));

  const move = async (): Promise<void> => {
    if (isMoving) return;
    setMoving(true);
    const place = DROP_POSITIONS.find((each) => each === where);
    const placement =
      place === undefined || target === null
        ? { ids: going, parentId: null }
        : toPlacement(tree, going, { id: target.value, position: place });
    const isMoved = await onMove(placement);
    setMoving(false);
    if (isMoved) modal.onCancel();
  };
  return (
    <Modal
      {...modal}
      title={
        going.length === 1
          ? t('groups.moveOne', { name: tree.groups.get(first ?? 0)?.name ?? '' })
          : t('groups.moveSome', { count: going.length })
      }
      okText={t('groups.move')}
      cancelText={t('parts.cancel')}
      okButtonProps={{ disabled: !isReady || going.length === 0 }}
      confirmLoading={isMoving}
      onOk={() => void move()}
    >
      <Form layout="vertical">
        <Form.Item label={t('groups.where')}>
          <Radio.Group
            aria-label={t('groups.where')}
            vertical
            value={where}
            options={WHERE.map((value) => ({ value, label: t(`groups.wheres.${value}`) }))}
            onChange={({ target: { value } }) => setWhere(value as DropPosition | 'top')}
          />
        </Form.Item>
        {where !== 'top' && (
          <Form.Item label={t('groups.target')} htmlFor={pickerId}>
            <ParentPicker
              id={pickerId}
              tree={tree}
              isExcluded={(id) => isWithin(tree, id, leaving)}
              value={target}
              onChange={setTarget}
            />
          </Form.Item>
        )}
      </Form>
    </Modal>
  );
}
