import { useState } from 'react';

/** The picture of a person or a group; the first letter of the name where there is none, or it does not load. */
export function Picture({ name, url }: { name: string; url: string | null }) {
  const [broken, setBroken] = useState<string>();
  return url === null || url === '' || broken === url ? (
    <span className="picture" aria-hidden="true">
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
