import { Alert, Breadcrumb, Button, Flex, Switch, Typography } from 'antd';
import { useTranslation } from 'react-i18next';
import { callboard } from '../../../shared/callboard';
import { useFormat } from '../../format';
import { LatestEntries } from '../../parts/audit/latest-entries';
import { Status } from '../../parts/status';
import { useToastMutation } from '../../parts/use-toast-mutation';
import type { Dialog } from '../dialogs/group-dialogs';
import type { Dragging } from '../model/drag';
import { childrenOf, type GroupTree, pathOf } from '../model/group-tree';
import { type Counts, GROUP_QUERIES } from '../use-group-tree';
import { GroupDevices } from './group-devices';

interface Props {
  tree: GroupTree;
  id: number;
  counts: Counts | undefined;
  dragging: Dragging;
  onOpen: (id: number | null) => void;
  onDialog: (dialog: Dialog) => void;
}

/** One group: path, content, and actions. */
export function GroupDetail({ tree, id, counts, dragging, onOpen, onDialog }: Props) {
  const { t } = useTranslation('panel');
  const { number } = useFormat();
  const changing = useToastMutation(
    (isEnabled: boolean) =>
      callboard.deviceGroups.change({ path: { id }, body: { status: isEnabled ? 1 : 0 } }),
    { changes: GROUP_QUERIES },
  );
  const group = tree.groups.get(id);
  if (group === undefined)
    return (
      <Alert
        type="warning"
        showIcon
        role="alert"
        title={t('groups.gone')}
        description={t('groups.goneAdvice')}
        action={<Button onClick={() => onOpen(null)}>{t('parts.close')}</Button>}
      />
    );
  const { name, description, parent_id: parentId } = group;
  const { device_count = 0, total_device_count = 0 } = counts ?? {};
  const facts = [
    t('groups.groupsInside', { count: childrenOf(tree, id).length }),
    t('groups.devicesInside', { count: device_count }),
    t('groups.devicesBelow', { count: total_device_count, number: number(total_device_count) }),
  ];
  return (
    <Flex vertical gap="middle">
      <nav aria-label={t('groups.path')}>
        <Breadcrumb
          items={[
            ...pathOf(tree, id).map((above) => ({
              key: above.id,
              title: (
                <Button type="link" size="small" onClick={() => onOpen(above.id)}>
                  {above.name}
                </Button>
              ),
            })),
            { key: id, title: <span aria-current="location">{name}</span> },
          ]}
        />
      </nav>
      <Flex justify="space-between" gap="middle" wrap align="center">
        <Typography.Title level={2} style={{ margin: 0, fontSize: '1.25rem' }}>
          {name}
        </Typography.Title>
        <Flex gap="small" align="center">
          <Status
            kind={group.status === 1 ? 'success' : 'default'}
            label={t(group.status === 1 ? 'groups.enabled' : 'groups.disabled')}
          />
          <Switch
            checked={group.status === 1}
            loading={changing.isPending}
            aria-label={t('groups.enabled')}
            onChange={(isEnabled) => void changing.run(isEnabled)}
          />
        </Flex>
      </Flex>
      {description !== '' && <Typography.Paragraph style={{ margin: 0 }}>{description}</Typography.Paragraph>}
      <Typography.Text type="secondary">{facts.join(' · ')}</Typography.Text>
      <Flex gap="small" wrap>
        <Button onClick={() => onDialog({ kind: 'edit', id })}>{t('parts.edit')}</Button>
        <Button onClick={() => onDialog({ kind: 'new', parentId: id })}>{t('groups.addInside')}</Button>
        <Button onClick={() => onDialog({ kind: 'new', parentId, afterId: id })}>
          {t('groups.addBeside')}
        </Button>
        <Button onClick={() => onDialog({ kind: 'move', ids: [id] })}>{t('groups.moveThis')}</Button>
        <Button danger onClick={() => onDialog({ kind: 'delete', id })}>
          {t('groups.delete')}
        </Button>
      </Flex>
      <GroupDevices id={id} dragging={dragging} onDialog={onDialog} />
      <section aria-labelledby="group-history">
        <Typography.Title level={3} id="group-history" style={{ margin: 0, fontSize: '1.05rem' }}>
          {t('audit.latest')}
        </Typography.Title>
        <LatestEntries filters={{ object_type: 'device_group', object_id: String(id) }} />
      </section>
    </Flex>
  );
}
