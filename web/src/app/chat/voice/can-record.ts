/** Whether the browser can record: its interfaces exist over https and on localhost only. */
export const canRecord = (): boolean =>
  navigator.mediaDevices !== undefined && typeof MediaRecorder !== 'undefined';
