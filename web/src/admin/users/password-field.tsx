import { Checkbox, Form, Input } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

/** Field for a new password, which can be made visible. */
export function PasswordField({ label }: { label: string }) {
  const { t } = useTranslation('panel');
  const [isShown, setShown] = useState(false);
  return (
    <>
      <Form.Item name="password" label={label} extra={t('users.passwordHint')} required>
        <Input type={isShown ? 'text' : 'password'} autoComplete="new-password" />
      </Form.Item>
      <Form.Item>
        <Checkbox checked={isShown} onChange={({ target }) => setShown(target.checked)}>
          {t('users.showPassword')}
        </Checkbox>
      </Form.Item>
    </>
  );
}
