import { type ComponentProps, useEffect, useRef, useState } from 'react';

/** A table in a frame that scrolls horizontally, also by keyboard if the table is wider than the frame. */
export function ScrolledTable(props: ComponentProps<'table'>) {
  const table = useRef<HTMLTableElement>(null);
  const [isWider, setWider] = useState(false);
  useEffect(() => {
    const frame = table.current?.parentElement;
    if (!table.current || !frame) return undefined;
    const observer = new ResizeObserver(() => setWider(frame.scrollWidth > frame.clientWidth));
    observer.observe(table.current);
    observer.observe(frame);
    return () => observer.disconnect();
  }, []);
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- arrow keys scroll the element with the focus
  return <table {...props} ref={table} tabIndex={isWider ? 0 : undefined} />;
}
