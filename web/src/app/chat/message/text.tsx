import type { ReactNode } from 'react';

/** URLs, without trailing punctuation that belongs to the sentence. */
const ADDRESS = /https?:\/\/[^\s<>"'。,、;!?()【】《》“”]*[^\s<>"'.,;:!?)\]}。,、;!?()【】《》“”]/gi;

/** Returns a URL that may be opened; undefined for schemes other than http and https. */
export function safeUrl(text: string): string | undefined {
  try {
    const { protocol, href } = new URL(text);
    return protocol === 'https:' || protocol === 'http:' ? href : undefined;
  } catch {
    return undefined;
  }
}

/** A plain text with its URLs as links. */
export function Text({ text }: { text: string }) {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const { 0: address, index } of text.matchAll(ADDRESS)) {
    const url = safeUrl(address);
    if (url === undefined) continue;
    parts.push(
      text.slice(end, index),
      <a key={index} href={url} target="_blank" rel="noopener noreferrer">
        {address}
      </a>,
    );
    end = index + address.length;
  }
  return (
    <p className="said" dir="auto">
      {parts}
      {text.slice(end)}
    </p>
  );
}
