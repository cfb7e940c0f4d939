import type { ReactNode } from 'react';
import './two-columns.css';

interface Props {
  /** The only h1 of the screen, above the list. On phones it stays for screen readers while the detail is shown. */
  title: string;
  /** Buttons beside the title. */
  actions?: ReactNode;
  /** Content of the scrolling list column. An element that scrolls by itself has to fill it (`height: 100%`). */
  list: ReactNode;
  /** The selected item, or a hint while none is selected. Its container is a flex column as high as the screen. */
  detail: ReactNode;
  /** Whether an item is selected: phones show either the list or the detail. */
  showsDetail: boolean;
}

/** Screen with a list and the selected item side by side; on phones one of them. */
export function TwoColumns({ title, actions, list, detail, showsDetail }: Props) {
  return (
    <main className={showsDetail ? 'two-columns shows-detail' : 'two-columns'}>
      <div className="list-column">
        <header className="column-header">
          <h1>{title}</h1>
          {actions}
        </header>
        <div className="list-body">{list}</div>
      </div>
      <div className="detail-column">{detail}</div>
    </main>
  );
}
