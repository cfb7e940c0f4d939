import type { DeviceResponse } from '@callboard/client';
import type { GroupTree } from '../model/group-tree';
import type { GroupMoves } from '../use-group-moves';
import type { Counts } from '../use-group-tree';
import type { DialogModal } from './dialog-modal';
import { DeleteDialog } from './delete-dialog';
import { GroupForm } from './group-form';
import { MoveDevicesDialog } from './move-devices-dialog';
import { MoveDialog } from './move-dialog';

/** The open dialog and its subject. */
export type Dialog =
  | { kind: 'new'; parentId: number | null; afterId?: number }
  | { kind: 'edit'; id: number }
  | { kind: 'move'; ids: readonly number[] }
  | { kind: 'move-devices'; devices: readonly DeviceResponse[]; fromGroupId: number; onMoved: () => void }
  | { kind: 'delete'; id: number };

interface Props {
  tree: GroupTree;
  counts: ReadonlyMap<number, Counts> | undefined;
  dialog: Dialog;
  modal: DialogModal;
  moves: GroupMoves;
  onOpen: (id: number | null) => void;
}

export function GroupDialogs({ tree, counts, dialog, modal, moves, onOpen }: Props) {
  const common = { tree, modal };
  if (dialog.kind === 'new') return <GroupForm {...common} place={dialog} onCreated={onOpen} />;
  if (dialog.kind === 'edit') return <GroupForm {...common} group={tree.groups.get(dialog.id)} />;
  if (dialog.kind === 'move')
    return <MoveDialog {...common} ids={dialog.ids} onMove={(placement) => moves.moveGroups(placement)} />;
  if (dialog.kind === 'move-devices')
    return (
      <MoveDevicesDialog
        {...common}
        fromGroupId={dialog.fromGroupId}
        count={dialog.devices.length}
        onMove={async (to) => {
          const isMoved = await moves.moveDevices(dialog.devices, dialog.fromGroupId, to);
          if (isMoved) dialog.onMoved();
          return isMoved;
        }}
      />
    );
  return (
    <DeleteDialog
      {...common}
      id={dialog.id}
      counts={counts?.get(dialog.id)}
      onDeleted={(parentId) => onOpen(parentId)}
    />
  );
}
