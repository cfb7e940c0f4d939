import type { LISTS as EN } from '../en/lists';
import type { Translated } from '../../../shared/i18n/translated';

export const LISTS: Translated<typeof EN> = {
  from: '开始日期',
  to: '结束日期',
  rangeReversed: '结束日期早于开始日期。',
  columns: '显示的列',
  chooseRow: '选择 {{name}}',
  chooseAll: '选择本页全部',
};
