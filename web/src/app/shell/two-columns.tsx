import type { ReactNode } from 'react';
import './two-columns.css';

interface Props {
  /** What the screen is: its one h1, above the list; on phones it stays for screen readers while the detail is shown. */
  title: string;
  /** Buttons beside the title. */
  actions?: ReactNode;
  /** It scrolls by itself; what scrolls in its own way fills it (`height: 100%`). */
  list: ReactNode;
  /** What is chosen, or what to say while nothing is: a column (flex) as high as the screen. */
  detail: ReactNode;
  /** Whether something is chosen: phones have room for one of both. */
  showsDetail: boolean;
}

/** A screen of a list and what is chosen of it, side by side; on phones one of both. */
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
