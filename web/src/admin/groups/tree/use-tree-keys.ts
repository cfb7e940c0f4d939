import type { KeyboardEvent } from 'react';

/** Commands of keys beyond navigation, which the tree library handles. */
export interface TreeCommands {
  open: () => void;
  rename: () => void;
  remove: () => void;
  undo: () => void;
  moveTo: () => void;
  pickUp: () => void;
}

export interface KeyboardDragCommands {
  moveTarget: (step: 1 | -1) => void;
  drop: () => void;
  cancel: () => void;
}

/** Returns the key handler for the capturing phase, so that handled keys do not reach the library. */
export function treeKeys(commands: TreeCommands, drag: KeyboardDragCommands | null) {
  const act = drag === null ? actionOf(commands) : actionWhileDragging(drag);
  return (event: KeyboardEvent): void => {
    if (event.target instanceof HTMLInputElement) return;
    const action = act(event);
    if (action === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  };
}

const actionOf =
  (commands: TreeCommands) =>
  ({ key, ctrlKey, metaKey, shiftKey }: KeyboardEvent): (() => void) | undefined => {
    if (ctrlKey || metaKey) return key.toLowerCase() === 'z' && !shiftKey ? commands.undo : undefined;
    const actions: Record<string, () => void> = {
      Enter: commands.open,
      F2: commands.rename,
      Delete: commands.remove,
      m: commands.moveTo,
      ' ': commands.pickUp,
    };
    return shiftKey ? undefined : actions[key];
  };

const actionWhileDragging =
  ({ moveTarget, drop, cancel }: KeyboardDragCommands) =>
  ({ key }: KeyboardEvent): (() => void) => {
    const actions: Record<string, () => void> = {
      ArrowDown: () => moveTarget(1),
      ArrowUp: () => moveTarget(-1),
      Enter: drop,
      ' ': drop,
      Escape: cancel,
      Tab: cancel,
    };
    // Ignores all other keys during a drag, to prevent accidental commands.
    return actions[key] ?? (() => undefined);
  };
