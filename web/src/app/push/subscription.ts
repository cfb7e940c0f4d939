import { CallboardError, subscribeToWebPush, unsubscribeFromWebPush } from '@callboard/client';
import { callboard } from '../../shared/callboard';
import { setPushState } from './push-state';
import { browserId, registerWorker } from './worker';

/** Removes the log-out hook, while this browser is subscribed. */
let removeHook: (() => void) | undefined;
let lastUpdate: Promise<unknown> = Promise.resolve();

/**
 * Registers the service worker, and subscribes this browser to the pushes of the user or ends its subscription. Updates run one
 * after the other.
 * @param language of the buttons in notifications
 */
export function updateSubscription(isWanted: boolean, language: string): Promise<void> {
  const update = lastUpdate.then(() => subscribe(isWanted, language));
  lastUpdate = update.catch(() => undefined);
  return update;
}

async function subscribe(isWanted: boolean, language: string): Promise<void> {
  const registration = await registerWorker(language);
  if (registration === undefined) return;
  const options = { registration, terminalId: browserId() };
  if (!isWanted) {
    removeHook?.();
    removeHook = undefined;
    setPushState('off');
    await unsubscribeFromWebPush(callboard, options);
    return;
  }
  try {
    const isSubscribed = await subscribeToWebPush(callboard, options);
    setPushState(isSubscribed ? 'on' : 'off');
    if (isSubscribed)
      removeHook ??= callboard.session.beforeLogOut(() => unsubscribeFromWebPush(callboard, options));
  } catch (error) {
    const isUnreachable = error instanceof CallboardError && error.code === 'network';
    setPushState(isUnreachable ? 'unreachable' : 'off');
  }
}
