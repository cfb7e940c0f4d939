import { type DragEvent, useState } from 'react';

interface FileDrop {
  /** Whether files are being dragged over the element. */
  isOver: boolean;
  handlers: Record<
    'onDragEnter' | 'onDragOver' | 'onDragLeave' | 'onDrop',
    (event: DragEvent<HTMLElement>) => void
  >;
}

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes('Files');

/** Accepts files that are dropped on an element. */
export function useFileDrop(onFiles: ((files: File[]) => void) | undefined): FileDrop {
  // Entering a child is reported before leaving its parent.
  const [depth, setDepth] = useState(0);
  const accept = (event: DragEvent<HTMLElement>): boolean => {
    if (onFiles === undefined || !hasFiles(event)) return false;
    event.preventDefault();
    return true;
  };
  return {
    isOver: depth > 0,
    handlers: {
      onDragEnter: (event) => void (accept(event) && setDepth((before) => before + 1)),
      onDragOver: (event) => {
        if (accept(event)) event.dataTransfer.dropEffect = 'copy';
      },
      onDragLeave: (event) => void (hasFiles(event) && setDepth((before) => Math.max(0, before - 1))),
      onDrop: (event) => {
        if (!accept(event)) return;
        setDepth(0);
        onFiles?.([...event.dataTransfer.files]);
      },
    },
  };
}
