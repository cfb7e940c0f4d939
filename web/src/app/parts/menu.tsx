import { type KeyboardEvent, type ReactNode, type RefObject, useId, useRef, useState } from 'react';
import './menu.css';

export interface MenuAction {
  label: ReactNode;
  act: () => void;
  isDangerous?: boolean;
}

interface Props {
  /** Label of the button for screen readers. */
  label: string;
  /** Visible content of the button. */
  button: ReactNode;
  /** Called when the menu opens. While it is open, its items do not change: another one would be below the pointer. */
  actions: () => MenuAction[];
  /** Actions in one line above the others. */
  choices?: readonly MenuAction[];
  /** Receives the button, for other ways to open the menu. */
  openerRef?: RefObject<HTMLButtonElement | null>;
  className?: string;
  tabIndex?: number;
}

const MARGIN = 8;

/** A button with a menu for mouse, touch and keyboard. The menu is in the top layer, so it is never clipped. */
export function Menu({ label, button, actions, choices, openerRef, className = '', tabIndex }: Props) {
  const id = useId();
  const ownOpener = useRef<HTMLButtonElement>(null);
  const opener = openerRef ?? ownOpener;
  const menu = useRef<HTMLDivElement>(null);
  /** Items of the open menu. */
  const [items, setItems] = useState<{ choices?: readonly MenuAction[]; actions: readonly MenuAction[] }>();

  const itemElements = (): HTMLElement[] => [
    ...(menu.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? []),
  ];
  const toggled = (open: boolean): void => {
    setItems(open ? { choices, actions: actions() } : undefined);
    if (open) requestAnimationFrame(() => place(opener.current, menu.current));
  };
  const choose = ({ act }: MenuAction): void => {
    menu.current?.hidePopover();
    opener.current?.focus();
    act();
  };
  const move = (event: KeyboardEvent): void => {
    const elements = itemElements();
    const index = elements.indexOf(document.activeElement as HTMLElement);
    const next = { ArrowDown: index + 1, ArrowRight: index + 1, ArrowUp: index - 1, ArrowLeft: index - 1 };
    const to = event.key === 'Home' ? 0 : event.key === 'End' ? -1 : next[event.key as keyof typeof next];
    event.stopPropagation();
    if (event.key === 'Tab') menu.current?.hidePopover();
    if (to === undefined) return;
    event.preventDefault();
    elements.at(to % elements.length)?.focus();
  };
  const item = (action: MenuAction, key: string): ReactNode => (
    <button
      key={key}
      type="button"
      role="menuitem"
      tabIndex={-1}
      className={action.isDangerous === true ? 'dangerous' : undefined}
      onClick={() => choose(action)}
    >
      {action.label}
    </button>
  );

  return (
    <>
      <button
        ref={opener}
        type="button"
        className={`menu-opener ${className}`}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={items !== undefined}
        popoverTarget={id}
        tabIndex={tabIndex}
      >
        {button}
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        className="menu"
        onKeyDown={move}
        onToggle={({ newState }) => toggled(newState === 'open')}
      >
        {items?.choices !== undefined && (
          <div className="menu-choices">
            {items.choices.map((action, index) => item(action, `choice ${index}`))}
          </div>
        )}
        {items?.actions.map((action, index) => item(action, `action ${index}`))}
      </div>
    </>
  );
}

/** Places the menu below its button, or above it if there is no room, within the window, and focuses the first item. */
function place(opener: HTMLElement | null, menu: HTMLElement | null): void {
  if (opener === null || menu === null) return;
  const at = opener.getBoundingClientRect();
  const { width, height } = menu.getBoundingClientRect();
  const below = at.bottom + height + MARGIN <= innerHeight;
  const top = below ? at.bottom + 4 : Math.max(MARGIN, at.top - height - 4);
  const left = Math.min(Math.max(MARGIN, at.right - width), innerWidth - width - MARGIN);
  menu.style.top = `${top}px`;
  menu.style.left = `${Math.max(MARGIN, left)}px`;
  menu.style.visibility = 'visible';
  menu.querySelector<HTMLElement>('[role=menuitem]')?.focus({ preventScroll: true });
}
