import type { LISTS as EN } from '../en/lists';
import type { Translated } from '../../../shared/i18n/translated';

export const LISTS: Translated<typeof EN> = {
  from: '开始日期',
  to: '结束日期',
  rangeReversed: '结束日期早于开始日期。',
  view: '视图',
  columns: '显示的列',
  density: '密度',
  densities: { small: '紧凑', middle: '适中', large: '宽松' },
  saved: '已保存的视图',
  viewName: '视图名称',
  saveView: '保存视图',
  deleteView: '删除视图 {{name}}',
  sort: '排序方式',
  ascending: '{{title}}（升序）',
  descending: '{{title}}（降序）',
  noneSelected: '未选择',
  selected: '已选 {{total}} 项',
  selectMatching: '选择全部 {{total}} 项符合条件的结果',
  allMatching: '已选全部 {{total}} 项符合条件的结果',
  partlyChanged: '出错前已修改 {{affected}} 项。可重试以修改其余各项。',
  clearSelection: '取消选择',
  tooMany: '一次最多修改 {{most}} 项，或选择全部符合条件的结果。',
  chooseRow: '选择 {{name}}',
  chooseAll: '选择本页全部',
};
