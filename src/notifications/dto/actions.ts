import type { Problem } from '../../common/input/checked';
import { checkText, checkUrl } from '../../common/input/fields';

const MAX_ACTIONS = 3;
const MAX_ID = 40;
const MAX_LABEL = 40;
const MAX_URL = 1_000;

/** A path of the web app: `//host` would lead elsewhere, and browsers read `\\` as `/`. */
const APP_PATH = /^\/(?![/\\])[^\s\\]*$/;

const isFilled = (value: unknown, max: number): boolean =>
  typeof value === 'string' && value.trim() !== '' && checkText(value, { max }) === undefined;

const isLink = (value: unknown): boolean =>
  isFilled(value, MAX_URL) && (APP_PATH.test(value as string) || checkUrl(value, MAX_URL) === undefined);

function isAction(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { id, label, url } = value as Record<string, unknown>;
  return isFilled(id, MAX_ID) && isFilled(label, MAX_LABEL) && isLink(url);
}

/** Returns the violation of `actions` in the `data` of a notification; undefined if they are valid or absent. */
export function checkActions(data: unknown): Problem | undefined {
  const { actions } = (data ?? {}) as { actions?: unknown };
  if (actions === undefined) return undefined;
  const isValid = Array.isArray(actions) && actions.length <= MAX_ACTIONS && actions.every(isAction);
  const ids = isValid ? actions.map(({ id }: { id: string }) => id) : [];
  return isValid && new Set(ids).size === ids.length
    ? undefined
    : { part: 'data.actions', problem: 'invalid' };
}
