import type { DropdownProps, MenuProps } from 'antd';
import { type MouseEvent, useState } from 'react';
import { rowId } from './tree-row';
import { rowOf } from './use-tree-drag';

interface Options {
  /** Called with the group for which the menu opens. */
  onOpen: (id: number) => void;
  itemsOf: (id: number) => NonNullable<MenuProps['items']>;
}

interface TreeMenu {
  dropdown: Omit<DropdownProps, 'children'>;
  /** Handler of the rows: finds the group of the menu before it opens. */
  onContextMenuCapture: (event: MouseEvent) => void;
}

/**
 * The context menu of the tree: by right click, long press, the menu key or Shift+F10. When it closes, the row of its
 * group has the focus again.
 */
export function useTreeMenu({ onOpen, itemsOf }: Options): TreeMenu {
  const [id, setId] = useState<number>();
  const [isOpen, setOpen] = useState(false);
  return {
    dropdown: {
      trigger: ['contextMenu'],
      open: isOpen && id !== undefined,
      autoFocus: true,
      // Inside of a landmark, where assistive technology expects all content.
      getPopupContainer: (tree) => tree.closest('main') ?? document.body,
      menu: { items: id === undefined ? [] : itemsOf(id) },
      onOpenChange: (next) => {
        setOpen(next);
        if (!next && id !== undefined)
          document.querySelector<HTMLElement>(`#${rowId(id)}`)?.focus({ preventScroll: true });
      },
    },
    onContextMenuCapture: ({ target }) => {
      const row = target instanceof HTMLInputElement ? null : rowOf(target);
      setId(row?.id);
      if (row !== null) onOpen(row.id);
    },
  };
}
