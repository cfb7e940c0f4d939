/**
 * A text with the matching part highlighted. Matches that only full case folding finds (`ss` in `ß`) are not
 * highlighted.
 */
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
