export const ATTENTION = {
  said: '{{name}}: {{text}}',
  calls: { audio: 'Incoming call', video: 'Incoming video call' },
} as const;
