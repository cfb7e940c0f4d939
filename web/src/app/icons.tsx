import type { ReactNode } from 'react';

/** Line drawings on a 24 × 24 grid. */
const PATHS = {
  conversations: <path d="M4 5h16v11H9.5L5 20v-4H4z" />,
  contacts: (
    <>
      <circle cx="9" cy="8.5" r="3.5" />
      <path d="M2.5 19.5c.6-3.6 3.2-5.5 6.5-5.5s5.9 1.9 6.5 5.5M15.5 5.3a3.5 3.5 0 0 1 0 6.4M18 14.3c2 .8 3.2 2.6 3.5 5.2" />
    </>
  ),
  calls: (
    <path d="M6.6 3.5h2.7l1.7 4.5-2.2 1.6a12 12 0 0 0 5.6 5.6l1.6-2.2 4.5 1.7v2.7a2.6 2.6 0 0 1-2.8 2.6C10.4 19.5 4.5 13.6 4 6.3a2.6 2.6 0 0 1 2.6-2.8z" />
  ),
  notifications: <path d="M6 16.5V10.5a6 6 0 0 1 12 0v6l1.5 2h-15zM10 21h4" />,
  settings: (
    <>
      <path d="M4 7h9M17 7h3M4 17h3M11 17h9" />
      <circle cx="15" cy="7" r="2" />
      <circle cx="9" cy="17" r="2" />
    </>
  ),
  back: <path d="M19 12H5M11 6l-6 6 6 6" />,
  close: <path d="M6 6l12 12M18 6L6 18" />,
  more: <path d="M5 12h.01M12 12h.01M19 12h.01" strokeWidth="3" />,
  plus: <path d="M12 5v14M5 12h14" />,
  search: (
    <>
      <circle cx="11" cy="11" r="6" />
      <path d="M15.5 15.5L20 20" />
    </>
  ),
  play: <path d="M7 5l12 7-12 7z" fill="currentColor" />,
  pause: <path d="M8 5.5v13M16 5.5v13" strokeWidth="3.5" />,
  check: <path d="M5 12.5l4.5 4.5L19 7.5" />,
  up: <path d="M12 19V5M6 11l6-6 6 6" />,
  down: <path d="M12 5v14M6 13l6 6 6-6" />,
  send: <path d="M4 11.5L20 4l-5 16-4-6.5zM11 13.5L20 4" />,
  pin: <path d="M9 4h6l-1 6 3 3H7l3-3zM12 13v7" />,
  muted: <path d="M4 9.5h4l5-4v13l-5-4H4zM17 9.5l4 5M21 9.5l-4 5" />,
  video: <path d="M3.5 6.5h11v11h-11zM14.5 11l6-3.5v9l-6-3.5z" />,
  trash: <path d="M4 6.5h16M9 6.5V4h6v2.5M6.5 6.5l1 13.5h9l1-13.5M10 10.5v6M14 10.5v6" />,
  archive: <path d="M4 4.5h16v4H4zM5.5 8.5v11h13v-11M10 12.5h4" />,
  inbox: <path d="M4 13.5l2.5-9h11l2.5 9v6H4zM4 13.5h5l1 2.5h4l1-2.5h5" />,
  snooze: (
    <>
      <circle cx="12" cy="12.5" r="8" />
      <path d="M12 8v5l3 2" />
    </>
  ),
  docs: <path d="M6 3.5h8l4 4v13H6zM14 3.5v4h4M9 12h6M9 16h6" />,
  panel: <path d="M12 3.5l7 2.5v6c0 4.3-3 7.3-7 8.5-4-1.2-7-4.2-7-8.5V6zM9 12l2.2 2.2L15.2 10" />,
  offline: (
    <path d="M3 3l18 18M8.5 8A9 9 0 0 0 4.5 10.5M12 6c3.5 0 6.5 1.5 8.5 4M7.5 14a6 6 0 0 1 6-1.5M12 18.5h.01" />
  ),
  microphone: (
    <>
      <rect x="9" y="3" width="6" height="11" rx="3" />
      <path d="M5.5 11.5a6.5 6.5 0 0 0 13 0M12 18v3" />
    </>
  ),
  microphoneOff: (
    <path d="M3 3l18 18M15 10V6a3 3 0 0 0-5.8-1M9 9v2a3 3 0 0 0 4.5 2.6M5.5 11.5a6.5 6.5 0 0 0 10 5.5M18.5 11.5a6.5 6.5 0 0 1-.6 2.7M12 18v3" />
  ),
  camera: <path d="M3.5 6.5h11v11h-11zM14.5 10.5l6-3.5v10l-6-3.5" />,
  cameraOff: <path d="M3 3l18 18M10 6.5h4.5V11l6-4v10M14.5 14.5v3h-11v-11h3" />,
  hangUp: (
    <path d="M3.2 14.2c-.9-2 3.6-5.2 8.8-5.2s9.7 3.2 8.8 5.2l-.8 1.7a1.2 1.2 0 0 1-1.5.6l-3-1.2a1.2 1.2 0 0 1-.7-1.3l.2-1.3a11 11 0 0 0-6 0l.2 1.3a1.2 1.2 0 0 1-.7 1.3l-3 1.2a1.2 1.2 0 0 1-1.5-.6z" />
  ),
  minimise: <path d="M20 4l-6 6M14 5v5h5M4 20l6-6M5 14h5v5" />,
  enlarge: <path d="M14 10l6-6M15 4h5v5M10 14l-6 6M4 15v5h5" />,
  fullScreen: <path d="M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5" />,
  screen: <path d="M3.5 5h17v11h-17zM8 20h8M12 16v4M12 13.5V8M9.5 10.5L12 8l2.5 2.5" />,
  flip: <path d="M4 9a8.5 8.5 0 0 1 15-2M20 4v4h-4M20 15a8.5 8.5 0 0 1-15 2M4 20v-4h4" />,
  incoming: <path d="M18 6L7 17M7 8v9h9" />,
  outgoing: <path d="M6 18L17 7M8 7h9v9" />,
  missed: <path d="M4 7l8 8 8-8M15 7h5v5" />,
  attach: (
    <path d="M20 11.5l-8.2 8.2a5.2 5.2 0 0 1-7.3-7.3l8.5-8.5a3.5 3.5 0 0 1 4.9 4.9l-8.5 8.5a1.8 1.8 0 0 1-2.5-2.5l7.8-7.8" />
  ),
  file: <path d="M6 3.5h8l4 4v13H6zM14 3.5v4h4" />,
  retry: <path d="M19 12a7 7 0 1 1-2-4.9M19 4v4h-4" />,
  reply: <path d="M10 6L4 12l6 6M4.5 12H14a6 6 0 0 1 6 6v1" />,
  smile: (
    <>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M8.5 14.2c.8 1.5 2 2.3 3.5 2.3s2.7-.8 3.5-2.3M9 9.5v.6M15 9.5v.6" />
    </>
  ),
  block: (
    <>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M6 6l12 12" />
    </>
  ),
} satisfies Record<string, ReactNode>;

export type IconName = keyof typeof PATHS;

interface Props {
  name: IconName;
  /** Width and height in pixels. */
  size?: number;
  /** Meaning of an icon that stands alone; without it the icon is decorative. */
  title?: string;
}

/** Icon in the colour of the surrounding text. Its meaning has to be in `title`, in a text beside it or in `aria-label`. */
export function Icon({ name, size = 24, title }: Props) {
  return (
    <svg
      className="icon"
      viewBox="0 0 24 24"
      width={size}
      height={size}
      {...(title === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': title })}
      focusable="false"
    >
      {PATHS[name]}
    </svg>
  );
}
