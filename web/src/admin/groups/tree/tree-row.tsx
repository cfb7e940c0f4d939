import { CaretDownFilled, CaretRightFilled } from '@ant-design/icons';
import type { TreeInstance } from '@headless-tree/core';
import { memo, type ReactNode } from 'react';
import type { DropPosition } from '../model/drag';
import type { Group } from '../model/group-tree';
import { Highlighted } from './highlighted';

export const ROW_HEIGHT = 36;
const INDENT = 20;
const FIRST_INDENT = 4;

interface Props {
  instance: TreeInstance<Group>;
  group: Group;
  top: number;
  /** The following props describe the row. They are plain values, so that `memo` skips unchanged rows. */
  level: number;
  setSize: number;
  posInSet: number;
  hasChildren: boolean;
  isExpanded: boolean;
  isSelected: boolean;
  isFocused: boolean;
  /** Whether this group is shown in the details. */
  isCurrent: boolean;
  /** Number of devices in the group and its descendants. */
  count: string | undefined;
  countLabel: string | undefined;
  disabledWord: string;
  drop: DropPosition | undefined;
  isDragged: boolean;
  keyword: string;
  /** Field for editing the name. */
  rename: ReactNode;
}

/** A group in the tree. */
export const TreeRow = memo(function TreeRow({ instance, group, top, level, ...row }: Props) {
  const { id, name, status } = group;
  const isDisabled = status === 0;
  const Arrow = row.isExpanded ? CaretDownFilled : CaretRightFilled;
  return (
    <div
      ref={(element) => instance.getItemInstance(String(id)).registerElement(element)}
      role="treeitem"
      id={rowId(id)}
      data-group={id}
      data-drop={row.drop}
      className={`tree-row${row.isCurrent ? ' current' : ''}${row.isDragged ? ' held' : ''}`}
      style={{
        transform: `translateY(${top}px)`,
        height: ROW_HEIGHT,
        paddingInlineStart: FIRST_INDENT + level * INDENT,
      }}
      tabIndex={row.isFocused ? 0 : -1}
      draggable={row.rename === null}
      aria-label={isDisabled ? `${name}, ${row.disabledWord}` : name}
      aria-describedby={row.count === undefined ? undefined : `${rowId(id)}-count`}
      aria-level={level + 1}
      aria-setsize={row.setSize}
      aria-posinset={row.posInSet}
      aria-expanded={row.hasChildren ? row.isExpanded : undefined}
      aria-selected={row.isSelected}
      aria-current={row.isCurrent || undefined}
    >
      <span className="tree-arrow" data-arrow={row.hasChildren || undefined} aria-hidden="true">
        {row.hasChildren && <Arrow />}
      </span>
      {row.rename ?? (
        <>
          <span className="tree-name" title={name}>
            <Highlighted text={name} keyword={row.keyword} />
          </span>
          {isDisabled && <span className="tree-status">{row.disabledWord}</span>}
          {row.count !== undefined && (
            <span className="tree-count" title={row.countLabel} data-count={row.count}>
              <span id={`${rowId(id)}-count`} className="for-screen-readers">
                {row.countLabel}
              </span>
            </span>
          )}
        </>
      )}
    </div>
  );
});

export const rowId = (id: number): string => `group-${id}`;
