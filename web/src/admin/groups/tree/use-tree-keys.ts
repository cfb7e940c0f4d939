import type { KeyboardEvent } from 'react';

/** What the keys of the tree do beside walking through it, which the tree library does. */
export interface TreeCommands {
  open: () => void;
  rename: () => void;
  remove: () => void;
  undo: () => void;
  moveTo: () => void;
  pickUp: () => void;
}

export interface HeldCommands {
  take: (step: 1 | -1) => void;
  drop: () => void;
  letGo: () => void;
}

/** The handler of keys, for the capturing phase: what is taken here does not reach the library. */
export function treeKeys(commands: TreeCommands, held: HeldCommands | null) {
  const act = held === null ? actionOf(commands) : actionWhileHeld(held);
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

const actionWhileHeld =
  ({ take, drop, letGo }: HeldCommands) =>
  ({ key }: KeyboardEvent): (() => void) => {
    const actions: Record<string, () => void> = {
      ArrowDown: () => take(1),
      ArrowUp: () => take(-1),
      Enter: drop,
      ' ': drop,
      Escape: letGo,
      Tab: letGo,
    };
    // Whoever holds something shall not do anything else by mistake.
    return actions[key] ?? (() => undefined);
  };
