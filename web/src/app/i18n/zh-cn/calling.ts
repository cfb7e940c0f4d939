import type { CALLING_TEXTS as EN } from '../en/calling';
import type { Translated } from '../../../shared/i18n/translated';

export const CALLING_TEXTS: Translated<typeof EN> = {
  share: '共享屏幕',
  stopSharing: '停止共享',
  sharing: '您正在共享屏幕。',
  flip: '切换摄像头',
  ownQuality: '您：{{quality}}',
  peerQuality: '{{name}}：{{quality}}',
  preview: {
    open: '检查摄像头和麦克风',
    openAudio: '检查麦克风',
    title: '预览',
    level: '麦克风音量',
    off: '摄像头已关闭。',
    place: '呼叫 {{name}}',
  },
};
