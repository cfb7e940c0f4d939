import { AutoComplete, Form, Input } from 'antd';
import { useTranslation } from 'react-i18next';
import { useTypeLabel } from '../announcement-card';
import { LIMITS } from './draft';

const TYPES = ['announcement', 'system', 'news', 'maintenance'];

/** Counts characters as the service does: an emoji counts as one. */
const lengthOf = (text: string): number => Array.from(text).length;

const counted = (max: number) => ({ show: true, max, strategy: lengthOf });

/**
 * Kind, title and content of an announcement. Text over the limit is reported, not cut, so that pasted text is not
 * lost.
 */
export function TextFields() {
  const { t } = useTranslation('panel');
  const typeLabel = useTypeLabel();
  const required = { required: true, whitespace: true, message: t('announcements.required') };
  const atMost = (max: number) => ({
    validator: (_: unknown, text: string | undefined) =>
      lengthOf(text ?? '') > max
        ? Promise.reject(new Error(t('announcements.tooLong', { max })))
        : Promise.resolve(),
  });
  return (
    <>
      <Form.Item
        name="title"
        label={t('announcements.subject')}
        rules={[required, atMost(LIMITS.title)]}
        validateFirst
      >
        <Input count={counted(LIMITS.title)} />
      </Form.Item>
      <Form.Item
        name="content"
        label={t('announcements.content')}
        rules={[required, atMost(LIMITS.content)]}
        validateFirst
      >
        <Input.TextArea rows={8} count={counted(LIMITS.content)} />
      </Form.Item>
      <Form.Item
        name="type"
        label={t('announcements.type')}
        extra={t('announcements.typeHint')}
        rules={[required, atMost(LIMITS.type)]}
        validateFirst
      >
        <AutoComplete options={TYPES.map((value) => ({ value, label: `${typeLabel(value)} (${value})` }))} />
      </Form.Item>
      <Form.Item
        name="dedupe_key"
        label={t('announcements.dedupe')}
        extra={t('announcements.dedupeHint')}
        rules={[atMost(LIMITS.dedupe_key)]}
      >
        <Input count={counted(LIMITS.dedupe_key)} autoComplete="off" />
      </Form.Item>
    </>
  );
}
