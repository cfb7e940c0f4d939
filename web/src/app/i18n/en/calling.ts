/** Texts of the call window and of the preview before a call, which are loaded on demand. */
export const CALLING_TEXTS = {
  share: 'Share screen',
  stopSharing: 'Stop sharing',
  sharing: 'You’re sharing your screen.',
  flip: 'Switch camera',
  ownQuality: 'You: {{quality}}',
  peerQuality: '{{name}}: {{quality}}',
  preview: {
    open: 'Check camera and microphone',
    openAudio: 'Check microphone',
    title: 'Preview',
    level: 'Microphone level',
    off: 'Your camera is off.',
    place: 'Call {{name}}',
  },
} as const;
