import { Fragment, memo, type ReactNode } from 'react';
import { type Inline, parseMarkdown } from './markdown';

/** A text with its marks: bold, italic, code and links. Rendered as elements, never as HTML. */
export const Text = memo(function Text({ text }: { text: string }) {
  return parseMarkdown(text).map((block, index) =>
    block.kind === 'code' ? (
      // oxlint-disable-next-line react/no-array-index-key -- parts of a text that is rendered as a whole
      <pre key={index} className="code-block" dir="ltr">
        <code>{block.text}</code>
      </pre>
    ) : (
      // oxlint-disable-next-line react/no-array-index-key -- as above
      <p key={index} className="said" dir="auto">
        {renderAll(block.children)}
      </p>
    ),
  );
});

const renderAll = (parts: readonly Inline[]): ReactNode =>
  // oxlint-disable-next-line react/no-array-index-key -- as above
  parts.map((part, index) => <Fragment key={index}>{render(part)}</Fragment>);

function render(part: Inline): ReactNode {
  if (typeof part === 'string') return part;
  switch (part.kind) {
    case 'strong':
      return <strong>{renderAll(part.children)}</strong>;
    case 'emphasis':
      return <em>{renderAll(part.children)}</em>;
    case 'code':
      return <code dir="ltr">{part.text}</code>;
    case 'link':
      return (
        <a href={part.url} title={part.url} target="_blank" rel="noopener noreferrer">
          {renderAll(part.children)}
        </a>
      );
    default:
      return part satisfies never;
  }
}
