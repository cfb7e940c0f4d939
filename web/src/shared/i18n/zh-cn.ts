import type { EN } from './en';
import type { Translated } from './translated';

export const ZH_CN: Translated<typeof EN> = {
  signIn: {
    account: '账号',
    password: '密码',
    submit: '登录',
    submitting: '正在登录…',
    wait: '{{time}} 后重试',
    demo: '演示账号',
    demoHint: '一键登录体验',
    credentials: '账号或密码错误。',
    tooMany: '尝试次数过多，请稍后再试。',
    unavailable: '服务繁忙或暂不支持登录，请稍后再试。',
    offline: '无法连接服务。',
    stillLoggedIn: '退出登录失败：下次用此浏览器访问时仍为登录状态，请重试。',
    ended: '登录已失效，请重新登录后继续。',
  },
  logOut: '退出登录',
  roles: { user: '用户', admin: '管理员' },
  language: { label: '语言', zh: '中文', en: 'English' },
  theme: { label: '外观', auto: '跟随系统', light: '浅色', dark: '深色' },
  starting: '加载中…',
  retry: '重试',
  partFailed: '这部分内容加载失败。',
  request: '请求编号 {{id}}',
  version: '版本 {{version}}',
};
