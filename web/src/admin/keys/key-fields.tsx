import { Checkbox, Form, Input } from 'antd';
import { useTranslation } from 'react-i18next';
import type { ApiKeyResponse } from '@callboard/client';
import { endOfDay, lastDayBefore } from '../parts/time-zone';
import { type Scope, SCOPES, scopeText } from './scopes';

export interface KeyValues {
  name: string;
  scopes: Scope[];
  /** Last day of validity in the service's time zone; '' for no expiry. */
  expires_at: string;
  rate_per_minute: string;
}

export const NEW_KEY: KeyValues = { name: '', scopes: [], expires_at: '', rate_per_minute: '' };

/** Form fields of an API key. The service validates them. */
export function KeyFields({ isNew }: { isNew: boolean }) {
  const { t } = useTranslation('panel');
  return (
    <>
      <Form.Item<KeyValues> name="name" label={t('keys.name')} extra={t('keys.nameHint')} required>
        <Input autoComplete="off" />
      </Form.Item>
      <Form.Item<KeyValues> name="scopes" label={t('keys.scopesLabel')} extra={t('keys.scopesHint')}>
        <Checkbox.Group
          className="key-scopes"
          aria-label={t('keys.scopesLabel')}
          options={SCOPES.map((value) => ({
            value,
            label: (
              <>
                <code>{value}</code> {t(scopeText(value))}
              </>
            ),
          }))}
        />
      </Form.Item>
      <Form.Item<KeyValues> name="expires_at" label={t('keys.validUntil')} extra={t('keys.validHint')}>
        <Input type="date" className="key-day" />
      </Form.Item>
      <Form.Item<KeyValues>
        name="rate_per_minute"
        label={t('keys.rate')}
        extra={isNew ? t('keys.rateHint') : undefined}
      >
        <Input inputMode="numeric" autoComplete="off" className="key-day" />
      </Form.Item>
    </>
  );
}

export const toKeyValues = (key: ApiKeyResponse, timeZone: string | undefined): KeyValues => ({
  name: key.name,
  scopes: key.scopes,
  expires_at: key.expires_at === null ? '' : lastDayBefore(timeZone, key.expires_at),
  rate_per_minute: String(key.rate_per_minute),
});

/**
 * Converts the form values to a request body. Input that is not a number is sent unchanged, so that the service's error
 * appears at the field.
 */
export const toKeyBody = (
  { name, scopes, expires_at, rate_per_minute }: KeyValues,
  timeZone: string | undefined,
) => ({
  name,
  scopes,
  expires_at: expires_at === '' ? null : endOfDay(timeZone, expires_at),
  ...(rate_per_minute.trim() !== '' && { rate_per_minute: numberOrText(rate_per_minute) }),
});

const numberOrText = (typed: string): number =>
  /^-?\d{1,9}$/.test(typed.trim()) ? Number(typed) : (typed as unknown as number);
