/** A text with the part that was looked for; whole where folding case has changed its length. */
export function Highlighted({ text, keyword }: { text: string; keyword: string }) {
  const at = keyword === '' ? -1 : text.toLowerCase().indexOf(keyword.toLowerCase());
  if (at < 0) return text;
  const end = at + keyword.length;
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, end)}</mark>
      {text.slice(end)}
    </>
  );
}
