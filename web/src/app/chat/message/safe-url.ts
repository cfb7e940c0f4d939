/** Returns a URL that may be opened; undefined for schemes other than http and https. */
export function safeUrl(text: string): string | undefined {
  try {
    const { protocol, href } = new URL(text);
    return protocol === 'https:' || protocol === 'http:' ? href : undefined;
  } catch {
    return undefined;
  }
}
