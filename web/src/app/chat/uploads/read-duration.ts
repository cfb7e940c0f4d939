/** Returns the duration of a recording in whole seconds; undefined if the browser cannot read it. */
export function readDuration(url: string, type: 'audio' | 'video'): Promise<number | undefined> {
  const media = document.createElement(type);
  media.preload = 'metadata';
  return new Promise((resolve) => {
    media.addEventListener('loadedmetadata', () =>
      resolve(Number.isFinite(media.duration) ? Math.round(media.duration) : undefined),
    );
    media.addEventListener('error', () => resolve(undefined));
    media.src = url;
  });
}
