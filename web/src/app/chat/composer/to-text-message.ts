import type { SendMessageRequest } from '@callboard/client';
import type { Draft, Mention } from '../drafts';

/** Converts a draft to a request, without the mentions whose name was removed from the text. */
export function toTextMessage({ text, mentions, replyTo }: Draft): SendMessageRequest {
  const named = findNamed(text, mentions);
  const ids = [...new Set(named.flatMap(({ id }) => id ?? []))];
  return {
    type: 'text',
    content: text,
    ...(replyTo !== null && { reply_to_id: replyTo.id }),
    ...(ids.length > 0 && { mentions: ids }),
    ...(named.some(({ id }) => id === null) && { mention_all: true }),
  };
}

/**
 * Returns the mentions whose name is in the text. Each occurrence counts for one mention, the longest name first: `@Anna` does not
 * mention Ann.
 */
function findNamed(text: string, mentions: readonly Mention[]): Mention[] {
  let unmatched = text;
  return mentions
    .toSorted((a, b) => b.name.length - a.name.length)
    .filter(({ name }) => {
      const start = unmatched.indexOf(`@${name}`);
      if (start < 0) return false;
      // A line break is in no name, so the texts around it do not become one.
      unmatched = `${unmatched.slice(0, start)}\n${unmatched.slice(start + name.length + 1)}`;
      return true;
    });
}
