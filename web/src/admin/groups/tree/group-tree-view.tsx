import type { TreeInstance } from '@headless-tree/core';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { Dropdown } from 'antd';
import {
  type Dispatch,
  type MouseEvent,
  type SetStateAction,
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../format';
import type { Dragged, Dragging, DropTarget } from '../model/drag';
import { childrenOf, type Group, type GroupTree } from '../model/group-tree';
import type { Counts } from '../use-group-tree';
import { RenameField } from './rename-field';
import { ROW_HEIGHT, rowId, TreeRow } from './tree-row';
import { treeKeys } from './use-tree-keys';
import type { FocusWish } from './use-tree-instance';
import type { Expanded } from './use-expanded';
import { useTreeMenu } from './use-tree-menu';
import { useKeyboardDrag } from './use-keyboard-drag';
import { rowOf, useTreeDrag } from './use-tree-drag';

/** Number of rows rendered outside the viewport. */
const OVERSCAN = 6;

/** Data of the tree view, and callbacks for user actions. */
export interface TreeProps {
  tree: GroupTree;
  counts: ReadonlyMap<number, Counts> | undefined;
  currentId: number | undefined;
  renamingId: number | null;
  onRename: Dispatch<SetStateAction<number | null>>;
  dragging: Dragging;
  onDrop: (dragged: Dragged, target: DropTarget) => void;
  onOpen: (id: number) => void;
  onRemove: (id: number) => void;
  onMoveTo: (ids: readonly number[]) => void;
  /** Adds a group: into `parentId`, at the end or after one of its groups. */
  onAdd: (place: { parentId: number | null; afterId?: number }) => void;
  /** Announces a text to screen readers. */
  announce: (text: string) => void;
}

interface Props extends TreeProps {
  instance: TreeInstance<Group>;
  focus: FocusWish;
  expanded: Expanded;
  keyword: string;
  onUndo: () => void;
}

/** Virtualised rows of the tree, with pointer and keyboard actions. */
export function GroupTreeView({ instance, focus, tree, expanded, dragging, announce, ...props }: Props) {
  const { t } = useTranslation('panel');
  const { number } = useFormat();
  const box = useRef<HTMLDivElement>(null);
  const items = instance.getItems();
  const { selectedItems } = instance.getState();
  const selected = useMemo(() => new Set(selectedItems), [selectedItems]);
  // If the focused item is not among the rows, the first row takes the focus.
  const focusedIndex = Math.max(0, items.length === 0 ? 0 : instance.getFocusedItem().getItemMeta().index);
  const focusedId = Number(items[focusedIndex]?.getId());

  // oxlint-disable-next-line react/incompatible-library -- its functions are not passed on
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT,
    // A new function would make the library measure all rows again.
    getItemKey: useCallback((index: number) => items[index]?.getId() ?? index, [items]),
    overscan: OVERSCAN,
    // Keeps the focused row in the document; otherwise keyboard input would be lost.
    rangeExtractor: useCallback(
      (range: Parameters<typeof defaultRangeExtractor>[0]) => {
        const shown = defaultRangeExtractor(range);
        if (focusedIndex >= range.count || shown.includes(focusedIndex)) return shown;
        return [...shown, focusedIndex].toSorted((a, b) => a - b);
      },
      [focusedIndex],
    ),
  });
  useLayoutEffect(() => {
    if (!focus.take()) return;
    scrollToRow(box.current, focusedIndex);
    // The row that had the focus may have just been removed from the document.
    const { activeElement } = document;
    if (activeElement === document.body || box.current?.contains(activeElement) === true)
      document.querySelector<HTMLElement>(`#${rowId(focusedId)}`)?.focus({ preventScroll: true });
  });

  /** Returns the selected rows in order if this row is one of them, otherwise only this row. */
  const take = (id: number): number[] => {
    if (!selected.has(String(id))) return [id];
    return items
      .map((item) => item.getId())
      .filter((each) => selected.has(each))
      .map(Number);
  };
  const drag = useTreeDrag({
    tree,
    dragging,
    take,
    isExpanded: expanded.isExpanded,
    expand: expanded.toggle,
    onDrop: props.onDrop,
    describe: (count) => t('groups.someGroups', { count, number: number(count) }),
  });
  const keyboard = useKeyboardDrag({
    tree,
    rows: () => items.map((item) => Number(item.getId())),
    onDrop: props.onDrop,
  });
  const describe = ({ id, position }: DropTarget): string =>
    t(`groups.places.${position}`, { name: tree.groups.get(id)?.name ?? '' });

  const onKeyDownCapture = treeKeys(
    {
      open: () => props.onOpen(focusedId),
      rename: () => props.onRename(focusedId),
      remove: () => props.onRemove(focusedId),
      undo: props.onUndo,
      moveTo: () => props.onMoveTo(take(focusedId)),
      pickUp: () => {
        keyboard.pickUp(take(focusedId));
        announce(t('groups.pickedUp', { count: take(focusedId).length }));
      },
    },
    keyboard.drag && {
      moveTarget: (step) => {
        const target = keyboard.moveTarget(step);
        if (target === undefined) return;
        scrollToRow(box.current, instance.getItemInstance(String(target.id)).getItemMeta().index);
        announce(describe(target));
      },
      drop: keyboard.drop,
      cancel: () => {
        keyboard.cancel();
        announce(t('groups.letGo'));
      },
    },
  );
  const onClick = (event: MouseEvent): void => {
    const row = rowOf(event.target);
    if (row === null || event.target instanceof HTMLInputElement) return;
    const item = instance.getItemInstance(String(row.id));
    item.setFocused();
    if (event.target instanceof Element && event.target.closest('[data-arrow]') !== null)
      return expanded.toggle(row.id);
    if (event.shiftKey) return item.selectUpTo(event.ctrlKey || event.metaKey);
    instance.getDataRef<{ selectUpToAnchorId?: string }>().current.selectUpToAnchorId = item.getId();
    if (event.ctrlKey || event.metaKey) return item.toggleSelect();
    instance.setSelectedItems([item.getId()]);
    return props.onOpen(row.id);
  };

  const menu = useTreeMenu({
    onOpen: (id) => {
      const item = instance.getItemInstance(String(id));
      item.setFocused();
      if (!selected.has(String(id))) instance.setSelectedItems([item.getId()]);
    },
    itemsOf: (id) => [
      { key: 'into', label: t('groups.addInside'), onClick: () => props.onAdd({ parentId: id }) },
      {
        key: 'after',
        label: t('groups.addBeside'),
        onClick: () => props.onAdd({ parentId: tree.groups.get(id)?.parent_id ?? null, afterId: id }),
      },
      { type: 'divider' },
      { key: 'rename', label: t('groups.rename'), onClick: () => props.onRename(id) },
      { key: 'move', label: t('groups.moveThis'), onClick: () => props.onMoveTo(take(id)) },
      { type: 'divider' },
      { key: 'delete', danger: true, label: t('groups.delete'), onClick: () => props.onRemove(id) },
    ],
  });
  const target = keyboard.drag?.target ?? drag.target;
  const keyboardIds = keyboard.drag?.dragged.ids;
  return (
    <Dropdown {...menu.dropdown}>
      <div ref={box} className="tree-box">
        {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- keys are handled in the capturing phase */}
        <div
          ref={instance.registerElement}
          role="tree"
          tabIndex={-1}
          aria-label={t('screens.groups')}
          aria-multiselectable="true"
          aria-describedby="tree-keys"
          className="tree-rows"
          style={{ height: virtualizer.getTotalSize() }}
          onClick={onClick}
          onContextMenuCapture={menu.onContextMenuCapture}
          onDoubleClick={(event) => {
            const row = rowOf(event.target);
            if (row !== null) props.onRename(row.id);
          }}
          onFocus={(event) => {
            // Assistive technology can move the focus to any row.
            const row = rowOf(event.target);
            if (row !== null && row.id !== focusedId) instance.getItemInstance(String(row.id)).setFocused();
          }}
          onKeyDownCapture={onKeyDownCapture}
          {...drag.handlers}
        >
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const item = items[index];
            const id = Number(item?.getId());
            const group = tree.groups.get(id);
            if (item === undefined || group === undefined) return null;
            const { level, setSize, posInSet } = item.getItemMeta();
            const count = props.counts?.get(id)?.total_device_count ?? 0;
            return (
              <TreeRow
                key={id}
                instance={instance}
                group={group}
                top={start}
                level={level}
                setSize={setSize}
                posInSet={posInSet + 1}
                hasChildren={childrenOf(tree, id).length > 0}
                isExpanded={expanded.isExpanded(id)}
                isSelected={selected.has(String(id))}
                isFocused={index === focusedIndex}
                isCurrent={id === props.currentId}
                count={props.counts && number(count)}
                countLabel={props.counts && t('groups.devicesBelow', { count, number: number(count) })}
                disabledWord={t('groups.disabled')}
                drop={target?.id === id ? target.position : undefined}
                isDragged={keyboardIds?.includes(id) === true}
                keyword={props.keyword}
                rename={
                  props.renamingId === id ? (
                    <RenameField
                      group={group}
                      // A request may end after the field of another group was opened.
                      onEnd={() => props.onRename((now) => (now === id ? null : now))}
                    />
                  ) : null
                }
              />
            );
          })}
        </div>
      </div>
    </Dropdown>
  );
}

/**
 * Scrolls just as far as a row is completely visible. The virtualizer's own `scrollToIndex` uses the offset of the last
 * scroll event: a click right after a scroll would scroll again, and the second click of a double click hit another row.
 */
function scrollToRow(box: HTMLElement | null, index: number): void {
  if (box === null) return;
  const [top, bottom] = [index * ROW_HEIGHT, (index + 1) * ROW_HEIGHT];
  if (top < box.scrollTop) box.scrollTop = top;
  else if (bottom > box.scrollTop + box.clientHeight) box.scrollTop = bottom - box.clientHeight;
}
