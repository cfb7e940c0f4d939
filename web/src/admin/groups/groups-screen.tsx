import { Button, Drawer, Grid, Spin } from 'antd';
import { useCallback, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useUrlState } from '../../shared/url-state';
import { ErrorAlert } from '../parts/error-alert';
import { ScreenHeader } from '../parts/screen-header';
import { GroupDetail } from './detail/group-detail';
import { GroupDialogs } from './dialogs/group-dialogs';
import { useDialog } from './dialogs/use-dialog';
import type { Dragged, Dragging } from './model/drag';
import { TreePane } from './tree/tree-pane';
import { useDeviceCounts, useGroupTree } from './use-group-tree';
import { useGroupMoves } from './use-group-moves';
import { useOptimisticMoves } from './use-optimistic-moves';
import './tree/tree.css';

/** All device groups as a tree, next to the details of the group in `?group=`, which are in a drawer on phones. */
export function GroupsScreen() {
  const { t } = useTranslation('panel');
  const url = useUrlState();
  const isWide = Grid.useBreakpoint().lg ?? true;
  const { tree: serverTree, error, refetch } = useGroupTree();
  const counts = useDeviceCounts();
  const { shown: tree, move } = useOptimisticMoves(serverTree);
  const [announcement, setAnnouncement] = useState('');
  const announce = useCallback((text: string) => setAnnouncement(text), []);
  const moves = useGroupMoves({ tree, move });
  const dialogs = useDialog();
  const [renamingId, setRenamingId] = useState<number | null>(null);
  const dragged = useRef<Dragged | null>(null);
  const dragging = useMemo<Dragging>(
    () => ({
      get: () => dragged.current,
      set: (next) => {
        dragged.current = next;
      },
    }),
    [],
  );

  const currentId = url.number('group');
  const open = (id: number | null): void => {
    if (id !== currentId) url.set({ group: id, page: null, below: null }, { push: true });
  };
  const detail = tree !== undefined && currentId !== undefined && (
    <GroupDetail
      key={currentId}
      tree={tree}
      id={currentId}
      counts={counts?.get(currentId)}
      dragging={dragging}
      onOpen={open}
      onDialog={dialogs.open}
    />
  );
  return (
    <>
      <ScreenHeader title={t('screens.groups')}>
        <Button type="primary" onClick={() => dialogs.open({ kind: 'new', parentId: null })}>
          {t('groups.add')}
        </Button>
      </ScreenHeader>
      <ErrorAlert error={error} onRetry={() => void refetch()} />
      <output className="for-screen-readers" aria-live="polite">
        {announcement}
      </output>
      {tree === undefined ? (
        error === null && <Spin />
      ) : (
        <div className={isWide ? 'groups-columns' : 'groups-columns narrow'}>
          <TreePane
            tree={tree}
            counts={counts}
            currentId={currentId}
            renamingId={renamingId}
            onRename={setRenamingId}
            dragging={dragging}
            onDrop={moves.drop}
            onOpen={open}
            onRemove={(id) => dialogs.open({ kind: 'delete', id })}
            onAdd={(place) => dialogs.open({ kind: 'new', ...place })}
            onMoveTo={(ids) => dialogs.open({ kind: 'move', ids })}
            undo={moves.undo}
            announce={announce}
          />
          {isWide && (
            <section className="group-detail" aria-label={t('groups.detail')}>
              {detail === false ? <p>{t('groups.choose')}</p> : detail}
            </section>
          )}
        </div>
      )}
      <Drawer
        open={!isWide && detail !== false}
        size="min(46rem, 100vw)"
        title={t('groups.detail')}
        onClose={() => open(null)}
        destroyOnHidden
      >
        {!isWide && detail}
      </Drawer>
      {tree !== undefined && dialogs.dialog !== undefined && (
        <GroupDialogs
          key={dialogs.key}
          tree={tree}
          counts={counts}
          dialog={dialogs.dialog}
          modal={dialogs.modal}
          moves={moves}
          onOpen={open}
        />
      )}
    </>
  );
}
