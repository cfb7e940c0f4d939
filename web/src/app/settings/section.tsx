import { type ReactNode, useId } from 'react';

interface Props {
  title: string;
  hint?: string;
  children: ReactNode;
}

/** A titled group of settings. */
export function Section({ title, hint, children }: Props) {
  const id = useId();
  return (
    <section className="settings-section" aria-labelledby={id}>
      <h2 id={id} tabIndex={-1}>
        {title}
      </h2>
      {hint !== undefined && <p className="soft">{hint}</p>}
      {children}
    </section>
  );
}
