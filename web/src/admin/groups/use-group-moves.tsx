import { App, Button, Flex } from 'antd';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeviceResponse } from '@callboard/client';
import { callboard } from '../../shared/callboard';
import { useLanguage } from '../../shared/i18n/i18n';
import { toCallboardError } from '../../shared/session';
import { type Dragged, toPlacement, type DropTarget } from './model/drag';
import { type GroupTree, type Placement, withoutDescendants } from './model/group-tree';
import { inverseMove } from './model/inverse-move';
import { isStale } from './stale-error';
import { refetchGroups } from './use-group-tree';

/** Duration of a message that offers to undo the move. */
const MESSAGE_SECONDS = 8;

interface UndoableMove {
  text: string;
  undo: () => Promise<unknown>;
}

interface Options {
  tree: GroupTree | undefined;
  move: (placements: readonly Placement[]) => Promise<void>;
}

const idsOf = (devices: readonly DeviceResponse[]): number[] => devices.map(({ id }) => id);

async function thenRefetch(act: Promise<unknown>): Promise<void> {
  try {
    await act;
  } finally {
    await refetchGroups();
  }
}

const sendDevices = (devices: readonly DeviceResponse[], from: number, to: number): Promise<unknown> =>
  callboard.deviceGroups.moveGroupDevices({
    path: { id: to },
    body: { device_ids: idsOf(devices), from_group_id: from },
  });

/** Undoes a move of devices. Devices that were in both groups before are added to the first one again. */
async function undoDeviceMove(devices: readonly DeviceResponse[], from: number, to: number): Promise<void> {
  const wasInBoth = ({ groups }: DeviceResponse): boolean => groups.some(({ id }) => id === to);
  const moved = devices.filter((device) => !wasInBoth(device));
  if (moved.length > 0) await sendDevices(moved, to, from);
  const removed = devices.filter(wasInBoth);
  if (removed.length > 0)
    await callboard.deviceGroups.addGroupDevices({
      path: { id: from },
      body: { device_ids: idsOf(removed) },
    });
}

/** Moves groups and devices, confirms each move with an offer to undo it, and explains errors. */
export function useGroupMoves({ tree, move }: Options) {
  const { message } = App.useApp();
  const { t } = useTranslation('panel');
  const language = useLanguage();
  const [done, setDone] = useState<readonly UndoableMove[]>([]);

  const showError = useCallback(
    (thrown: unknown): void => {
      const error = toCallboardError(thrown);
      const text = [
        error.text(language),
        isStale(error) && t('groups.changedMeanwhile'),
        error.requestId !== undefined && error.code !== 422 && t('parts.request', { id: error.requestId }),
      ]
        .filter(Boolean)
        .join(' · ');
      void message.error(text, MESSAGE_SECONDS);
    },
    [language, message, t],
  );

  const undo = async (entry: UndoableMove | undefined): Promise<void> => {
    if (entry === undefined) return;
    setDone((before) => before.filter((each) => each !== entry));
    message.destroy(entry.text);
    try {
      await entry.undo();
      void message.success(t('groups.undone'));
    } catch (error) {
      showError(error);
      // A rejected undo would be rejected again, and block the undo of earlier moves.
      const { code } = toCallboardError(error);
      if (code !== 404 && code !== 422) setDone((before) => [...before, entry]);
    }
  };
  const perform = async (entry: UndoableMove, act: () => Promise<unknown>): Promise<boolean> => {
    try {
      await act();
    } catch (error) {
      showError(error);
      return false;
    }
    setDone((before) => [...before, entry]);
    void message.success({
      key: entry.text,
      duration: MESSAGE_SECONDS,
      content: (
        <Flex component="span" gap="small" align="center">
          {entry.text}
          <Button size="small" onClick={() => void undo(entry)}>
            {t('groups.undo')}
          </Button>
        </Flex>
      ),
    });
    return true;
  };

  const moveGroups = async (placement: Placement): Promise<boolean> => {
    if (tree === undefined) return false;
    const ids = withoutDescendants(tree, placement.ids);
    const [first] = ids;
    if (first === undefined) return false;
    const inverse = inverseMove(tree, ids);
    const parent = placement.parentId === null ? undefined : tree.groups.get(placement.parentId);
    const where = parent?.name ?? t('groups.topLevel');
    const text =
      ids.length === 1
        ? t('groups.movedOne', { name: tree.groups.get(first)?.name ?? '', where })
        : t('groups.movedSome', { count: ids.length, where });
    return perform({ text, undo: () => move(inverse) }, () => move([{ ...placement, ids }]));
  };

  const moveDevices = (devices: readonly DeviceResponse[], from: number, to: number): Promise<boolean> => {
    const where = tree?.groups.get(to)?.name ?? '';
    return perform(
      {
        text: t('groups.movedDevices', { count: devices.length, where }),
        undo: () => thenRefetch(undoDeviceMove(devices, from, to)),
      },
      () => thenRefetch(sendDevices(devices, from, to)),
    );
  };

  const dropDevices = async (
    { devices, fromGroupId, onMoved }: Dragged & { kind: 'devices' },
    target: DropTarget,
  ): Promise<void> => {
    if (await moveDevices(devices, fromGroupId, target.id)) onMoved();
  };

  return {
    moveGroups,
    moveDevices,
    drop: (dragged: Dragged, target: DropTarget): void => {
      if (tree === undefined) return;
      if (dragged.kind === 'groups') void moveGroups(toPlacement(tree, dragged.ids, target));
      else void dropDevices(dragged, target);
    },
    undo: done.length === 0 ? undefined : () => void undo(done.at(-1)),
  };
}

export type GroupMoves = ReturnType<typeof useGroupMoves>;
