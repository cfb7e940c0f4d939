import { type CSSProperties, useState } from 'react';

const HUES = 12;

const HUE_STEP = 360 / HUES;
/** Consecutive ids are five of twelve hues apart, so that neighbours in a list differ clearly. */
const ID_STEP = 5;

const sumOf = (name: string): number =>
  Array.from(name).reduce((sum, letter) => sum * 31 + (letter.codePointAt(0) ?? 0), 7);

/** Returns one of twelve hues in degrees: always the same for an id, or for a name where no id is known. */
export const toHue = (name: string, id?: number): number =>
  ((id === undefined ? sumOf(name) : id * ID_STEP) % HUES) * HUE_STEP;

interface Props {
  name: string;
  url: string | null;
  /** Id of the user or group, which selects the colour: a new name does not change it. */
  id?: number;
}

/** Picture of a user or group; the first letter of the name if there is none or it does not load. */
export function Picture({ name, url, id }: Props) {
  const [broken, setBroken] = useState<string>();
  return url === null || url === '' || broken === url ? (
    <span
      className="picture lettered"
      style={{ '--hue': toHue(name, id) } as CSSProperties}
      aria-hidden="true"
    >
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
