import type { NotificationResponse } from '@callboard/client';

/** A link of a notification. `url`: http, https, or a path of this app. */
export interface Action {
  id: string;
  label: string;
  url: string;
}

const MAX_ACTIONS = 3;
/** `//host` and `/\host` would lead to another site. */
const APP_PATH = /^\/(?![/\\])/;

/** Returns the links of a notification. Ignores malformed ones: older services do not check them. */
export function actionsOf({ data }: NotificationResponse): Action[] {
  const actions: unknown = data?.['actions'];
  return Array.isArray(actions) ? actions.filter(isAction).slice(0, MAX_ACTIONS) : [];
}

function isAction(value: unknown): value is Action {
  if (typeof value !== 'object' || value === null) return false;
  const { id, label, url } = value as Record<string, unknown>;
  if (typeof id !== 'string' || typeof label !== 'string' || typeof url !== 'string') return false;
  return APP_PATH.test(url) || /^https?:\/\//i.test(url);
}
