import { type CSSProperties, useState } from 'react';

const HUES = 12;

/** Returns one of twelve hues in degrees, always the same for a name. */
const toHue = (name: string): number =>
  (Array.from(name).reduce((sum, letter) => sum * 31 + (letter.codePointAt(0) ?? 0), 7) % HUES) *
  (360 / HUES);

/** Picture of a user or group; the first letter of the name if there is none or it does not load. */
export function Picture({ name, url }: { name: string; url: string | null }) {
  const [broken, setBroken] = useState<string>();
  return url === null || url === '' || broken === url ? (
    <span className="picture lettered" style={{ '--hue': toHue(name) } as CSSProperties} aria-hidden="true">
      {Array.from(name)[0]}
    </span>
  ) : (
    <img
      className="picture"
      src={url}
      alt=""
      loading="lazy"
      referrerPolicy="no-referrer"
      onError={() => setBroken(url)}
    />
  );
}
