import { Modal } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { callboard } from '../../../shared/callboard';
import { ErrorAlert } from '../../parts/error-alert';
import { useToastMutation } from '../../parts/use-toast-mutation';
import { childrenOf, type GroupTree } from '../model/group-tree';
import { isStale } from '../stale-error';
import { type Counts, GROUP_QUERIES } from '../use-group-tree';
import type { DialogModal } from './dialog-modal';

interface Props {
  tree: GroupTree;
  id: number;
  counts: Counts | undefined;
  /** Called with the id of the parent group; null for the top level. */
  onDeleted: (parentId: number | null) => void;
  modal: DialogModal;
}

/** Deletes an empty group. For other groups it shows what has to be removed first. */
export function DeleteDialog({ tree, id, counts, onDeleted, modal }: Props) {
  const { t } = useTranslation('panel');
  const [group] = useState(() => tree.groups.get(id));
  const remove = async (): Promise<void> => {
    await callboard.deviceGroups.delete({ path: { id } });
    // Must be called before the queries are refetched, so that the deleted group is not requested.
    onDeleted(group?.parent_id ?? null);
  };
  const deleting = useToastMutation(remove, {
    done: t('groups.deleted', { name: group?.name ?? '' }),
    changes: GROUP_QUERIES,
    // Shown in the dialog.
    onError: () => true,
  });
  const confirm = async (): Promise<void> => {
    if (await deleting.run()) modal.onCancel();
  };
  const groupsInside = childrenOf(tree, id).length;
  const devicesInside = counts?.device_count ?? 0;
  const isBlocked = groupsInside > 0 || devicesInside > 0;
  const isGone = deleting.error?.code === 404;
  return (
    <Modal
      {...modal}
      title={t('groups.deleteTitle', { name: group?.name ?? '' })}
      okText={t('parts.delete')}
      okType="danger"
      cancelText={t(isBlocked || isGone ? 'parts.close' : 'parts.cancel')}
      okButtonProps={{ disabled: isBlocked || isGone }}
      confirmLoading={deleting.isPending}
      onOk={() => void confirm()}
    >
      {isBlocked ? (
        <>
          <p>{t('groups.inTheWay')}</p>
          <ul>
            {groupsInside > 0 && <li>{t('groups.groupsInside', { count: groupsInside })}</li>}
            {devicesInside > 0 && <li>{t('groups.devicesInside', { count: devicesInside })}</li>}
          </ul>
        </>
      ) : (
        !isGone && <p>{t('groups.deleteQuestion')}</p>
      )}
      <ErrorAlert
        error={deleting.error}
        advice={deleting.error && isStale(deleting.error) ? t('groups.changedMeanwhile') : undefined}
      />
    </Modal>
  );
}
