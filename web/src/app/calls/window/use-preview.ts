import { useCallback, useEffect, useReducer, useRef, useState } from 'react';
import type { CallboardError } from '@callboard/client';
import { LocalMedia } from '@callboard/client/calls';
import { toCallboardError } from '../../../shared/session';
import { useServiceMutation } from '../../../shared/use-service-mutation';

/** Microphone and camera before a call. */
export interface Preview {
  /** Undefined until the browser allowed the devices. */
  local: LocalMedia | undefined;
  error: CallboardError | undefined;
  mute: (isMuted: boolean) => void;
  camera: (isOn: boolean) => void;
  use: (kind: 'audio' | 'video', deviceId: string) => void;
  /** Returns the media for the call, which stops them from now on; undefined if there are none. */
  take: () => LocalMedia | undefined;
}

/** Opens microphone and camera for a preview while `mediaType` is given. They are turned off when it ends without a call. */
export function usePreview(mediaType: 'audio' | 'video' | undefined): Preview {
  const opened = useRef<LocalMedia>(undefined);
  const [local, setLocal] = useState<LocalMedia>();
  const [error, setError] = useState<CallboardError>();
  // The media stay the same object while their tracks change, so re-renders are forced.
  const [, rerender] = useReducer((count: number) => count + 1, 0);
  const change = useServiceMutation(async (kind: 'audio' | 'video', deviceId?: string) => {
    await opened.current?.use(kind, deviceId);
    rerender();
  });
  useEffect(() => {
    if (mediaType === undefined) return undefined;
    let isOver = false;
    const open = async (): Promise<void> => {
      const media = await LocalMedia.open(mediaType);
      // The preview was closed while the browser was asking.
      if (isOver) return media.stop();
      opened.current = media;
      setLocal(media);
      setError(media.cameraError);
    };
    open().catch((cause: unknown) => isOver || setError(toCallboardError(cause)));
    return () => {
      isOver = true;
      opened.current?.stop();
      opened.current = undefined;
      setLocal(undefined);
      setError(undefined);
    };
  }, [mediaType]);
  const take = useCallback(() => {
    const media = opened.current;
    opened.current = undefined;
    return media;
  }, []);
  return {
    local,
    error: change.error ?? error,
    mute: (isMuted) => {
      opened.current?.mute(isMuted);
      rerender();
    },
    camera: (isOn) => {
      if (isOn) void change.run('video');
      else opened.current?.stopCamera();
      rerender();
    },
    use: (kind, deviceId) => void change.run(kind, deviceId),
    take,
  };
}
