/**
 * Prevents that a file dropped beside the place that takes it replaces the page. A place that takes files handles the events
 * first.
 */
export function ignoreDroppedFiles(): void {
  for (const type of ['dragover', 'drop'] as const)
    window.addEventListener(type, (event) => {
      const { dataTransfer } = event;
      if (event.defaultPrevented || dataTransfer?.types.includes('Files') !== true) return;
      event.preventDefault();
      dataTransfer.dropEffect = 'none';
    });
}
