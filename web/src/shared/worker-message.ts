/** Message of the service worker to the page that a click on a notification has focused. */
export interface WorkerMessage {
  type: 'callboard.open';
  /** Path of the screen to show; undefined: the page stays where it is. */
  path?: string;
  /** Id of the call that the user has accepted in the notification. */
  answer?: number;
}

/** Data of every notification that the page or the service worker shows. */
export interface NotificationData {
  /** Path of the screen that a click opens. */
  path: string;
  /** Id of the message, notification or call. A push with the same id alerts the user no second time. */
  id?: number;
  /** Id of the call, if this is a ring. */
  callId?: number;
}
