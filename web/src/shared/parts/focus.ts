/** Returns the focus to the previous element; to the main heading if the element no longer exists. */
export function restoreFocus(before: Element | null): void {
  if (before instanceof HTMLElement && before !== document.body && before.isConnected) before.focus();
  else focusHeading();
}

/**
 * Focuses the main heading as soon as it is rendered, unless the user or the screen has moved the focus by then. Returns a function
 * that stops waiting.
 */
export function focusHeading(): () => void {
  const observer = new MutationObserver(findFocusable);
  observer.observe(document.body, { childList: true, subtree: true });
  findFocusable();
  return () => observer.disconnect();

  function findFocusable(): void {
    const isFree = document.activeElement === null || document.activeElement === document.body;
    const heading = document.querySelector('main')?.querySelector('h1');
    if (isFree && !heading) return;
    observer.disconnect();
    if (!isFree || !heading) return;
    heading.tabIndex = -1;
    heading.focus();
  }
}
