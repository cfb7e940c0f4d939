import type { ACCOUNT as EN } from '../en/account';
import type { Translated } from '../../../shared/i18n/translated';

export const ACCOUNT: Translated<typeof EN> = {
  chosen: '已选',
  profile: '个人资料',
  fixed: '姓名和头像来自您的身份提供方。',
  password: '密码',
  passwordHint: '更改密码后，您的其他会话会结束。',
  oldPassword: '当前密码',
  again: '再次输入新密码',
  different: '两次输入的密码不一致。',
  wrongPassword: '当前密码不正确。',
  change: '更改密码',
  passwordChanged: '密码已更改，您的其他会话已结束。',
};
