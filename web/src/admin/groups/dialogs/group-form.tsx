import { Form, Input, Modal } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { uniqueId } from '@callboard/client';
import { callboard } from '../../../shared/callboard';
import { changedFields } from '../../parts/changed-fields';
import { ErrorAlert } from '../../parts/error-alert';
import { useFollowUp } from '../../parts/use-follow-up';
import { useFormMutation } from '../../parts/use-form-mutation';
import { childrenOf, type Group, type GroupTree, placeName } from '../model/group-tree';
import { isStale } from '../stale-error';
import { GROUP_QUERIES } from '../use-group-tree';
import type { DialogModal } from './dialog-modal';

/** Distance between the `sort_order` of siblings, as the service assigns it. */
const STEP = 10;

interface Values {
  name: string;
  description: string;
}

interface Place {
  parentId: number | null;
  /** Sibling after which the group is inserted; last if left out. */
  afterId?: number;
}

interface Props {
  tree: GroupTree;
  /** The group to change; a new one is created if left out. */
  group?: Group;
  place?: Place;
  onCreated?: (id: number) => void;
  modal: DialogModal;
}

/** Edits the name and description of a group, or creates one. */
export function GroupForm({ tree, place, onCreated, modal, ...props }: Props) {
  const { t } = useTranslation('panel');
  const [form] = Form.useForm<Values>();
  const formId = useId();
  // Kept when another administrator deletes the group, so that the form does not become that of a new group.
  const [group] = useState(props.group);
  // Values that filled the form. A refetch of the tree must not change them.
  const [before] = useState((): Values => ({
    name: group?.name ?? '',
    description: group?.description ?? '',
  }));
  // Prevents duplicates when the form is sent again after a lost response.
  const [idempotencyKey] = useState(() => uniqueId());
  const parentId = place?.parentId ?? null;
  // Computed once: after a lost response the tree contains the new group, and a request with another position would be
  // rejected, because its idempotency key was used.
  const [sortOrder] = useState(() => orderOf(tree, { ...place, parentId }));
  const followUp = useFollowUp();
  const { submit, isPending, error } = useFormMutation(
    form,
    async (values: Values) => {
      if (group !== undefined)
        return callboard.deviceGroups.change({
          path: { id: group.id },
          body: changedFields(values, before),
        });
      const { id } = await callboard.deviceGroups.create({
        body: { ...values, parent_id: parentId, sort_order: sortOrder },
        idempotencyKey,
      });
      const placing =
        place?.afterId === undefined
          ? undefined
          : callboard.deviceGroups.place({
              path: { id },
              body: { parent_id: parentId, after_id: place.afterId },
            });
      await followUp(placing, {
        done: t('groups.created'),
        warning: (reason) => t('groups.createdElsewhere', { reason }),
      });
      return onCreated?.(id);
    },
    {
      done: group && t('groups.saved'),
      changes: GROUP_QUERIES,
    },
  );
  const save = async (values: Values): Promise<void> => {
    if (await submit(values)) modal.onCancel();
  };
  return (
    <Modal
      {...modal}
      title={t(group === undefined ? 'groups.add' : 'groups.edit')}
      okText={t(group === undefined ? 'parts.create' : 'parts.save')}
      cancelText={t('parts.cancel')}
      confirmLoading={isPending}
      okButtonProps={{ htmlType: 'submit', form: formId }}
      afterOpenChange={(isOpen) => {
        if (isOpen) form.focusField('name');
      }}
    >
      {group === undefined && (
        <p>
          {parentId === null
            ? t('groups.goesToTop')
            : t('groups.goesInto', { name: placeName(tree, parentId) })}
        </p>
      )}
      <ErrorAlert error={error} advice={error && isStale(error) ? t('groups.changedMeanwhile') : undefined} />
      <Form
        id={formId}
        form={form}
        layout="vertical"
        initialValues={before}
        onFinish={(values) => void save(values)}
      >
        <Form.Item name="name" label={t('groups.name')}>
          <Input />
        </Form.Item>
        <Form.Item name="description" label={t('groups.description')}>
          <Input.TextArea rows={3} />
        </Form.Item>
      </Form>
    </Modal>
  );
}

/** Returns the `sort_order` for the last position, or that of the sibling after which the group is inserted. */
function orderOf(tree: GroupTree, { parentId, afterId }: Place): number {
  const neighbour = tree.groups.get(afterId ?? childrenOf(tree, parentId).at(-1) ?? 0);
  if (neighbour === undefined) return STEP;
  return afterId === undefined ? neighbour.sort_order + STEP : neighbour.sort_order;
}
