import type { ReactNode } from 'react';
import './facts-table.css';

interface Props {
  facts: readonly { key: string; label: string; children: ReactNode }[];
}

/** Properties of an object, one per row. */
export const FactsTable = ({ facts }: Props) => (
  <table className="facts-table">
    <tbody>
      {facts.map(({ key, label, children }) => (
        <tr key={key}>
          <th scope="row">{label}</th>
          <td>{children}</td>
        </tr>
      ))}
    </tbody>
  </table>
);
