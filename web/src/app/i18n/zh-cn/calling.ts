import type { CALLING_TEXTS as EN } from '../en/calling';
import type { Translated } from '../../../shared/i18n/translated';

export const CALLING_TEXTS: Translated<typeof EN> = {
  share: '共享屏幕',
  stopSharing: '停止共享',
  sharing: '你正在共享屏幕。',
  flip: '切换摄像头',
  ownQuality: '你：{{quality}}',
  peerQuality: '{{name}}：{{quality}}',
  preview: {
    open: '检查摄像头和麦克风',
    openAudio: '检查麦克风',
    title: '预览',
    level: '麦克风音量',
    off: '摄像头已关闭。',
    place: '呼叫 {{name}}',
  },
  device: {
    audioinput: '麦克风',
    videoinput: '摄像头',
    audiooutput: '扬声器',
    usual: '系统默认',
    none: '未找到设备',
    unnamed: '设备 {{number}}',
  },
  problems: {
    needs_https: '通话需使用 HTTPS 访问。',
    media_refused: '浏览器没有麦克风或摄像头的使用权限。',
    media_missing: '未找到麦克风。',
    media_busy: '麦克风或摄像头正被其他程序占用。',
    media_failed: '音视频连接失败。',
    busy: '对方正在通话中。',
    in_call: '你正在通话中。',
    unreachable: '暂时无法联系到对方。',
  },
  camera: {
    media_refused: '浏览器没有摄像头的使用权限，将以语音继续通话。',
    media_missing: '未找到摄像头，将以语音继续通话。',
    media_busy: '摄像头正被其他程序占用，将以语音继续通话。',
  },
  advice: {
    needs_https:
      '通过普通 http 访问时，浏览器不提供麦克风和摄像头。请改用 https 访问，或在本机通过 localhost 访问。',
    media_refused: '请点击地址栏左侧的图标，或在浏览器和系统的隐私设置中允许访问，然后重试。',
    media_missing: '请接入麦克风，或在系统设置中启用，然后重试。',
    media_busy: '请关闭占用设备的程序（例如其他通话或录音），然后重试。',
    media_failed: '可能被防火墙阻挡。请重试，或换一个网络。',
    busy: '请稍后再试，或发送消息。',
    in_call: '通话可能在其他窗口或设备上，请先在那里结束通话。',
    unreachable: '可以改为发送消息。',
  },
  asking: {
    audio: '正在等待麦克风权限…请在浏览器的提示中点击“允许”。',
    video: '正在等待麦克风和摄像头权限…请在浏览器的提示中点击“允许”。',
  },
  quality: { good: '网络良好', fair: '网络一般', poor: '网络较差' },
  pictureOf: '{{name}} 的画面',
  ownPicture: '你的画面',
  hear: '打开声音',
};
