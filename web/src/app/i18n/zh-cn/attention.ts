import type { ATTENTION as EN } from '../en/attention';
import type { Translated } from '../../../shared/i18n/translated';

export const ATTENTION: Translated<typeof EN> = {
  said: '{{name}}：{{text}}',
  calls: { audio: '语音来电', video: '视频来电' },
};
