import { useEffect, useState } from 'react';
import { LocalMedia } from '@callboard/client/calls';

/** Returns the available media devices, updated when one is connected or removed. */
export function useDevices(): MediaDeviceInfo[] {
  const [devices, setDevices] = useState<MediaDeviceInfo[]>([]);
  useEffect(() => {
    const ending = new AbortController();
    const update = (): void => {
      void LocalMedia.devices().then((found) => ending.signal.aborted || setDevices(found));
    };
    update();
    navigator.mediaDevices?.addEventListener('devicechange', update, { signal: ending.signal });
    return () => ending.abort();
  }, []);
  return devices;
}
