import type { Texts } from './texts';

export const ZH_CN: Texts = {
  client: {
    title: 'Callboard',
    tagline: '通话、消息与通知,尽在一处',
    signedIn: '您已登录',
    toPanel: '管理后台',
    toDocs: '开发者接口文档',
  },
  panel: {
    title: 'Callboard 管理后台',
    tagline: '仅限管理员',
    signedIn: '您已以管理员身份登录',
    notAdmin: '此账号不是管理员。请退出后换用其他账号。',
    toClient: '网页客户端',
  },
  signIn: {
    account: '账号',
    password: '密码',
    submit: '登录',
    submitting: '正在登录…',
    wait: '{{time}} 后重试',
    demo: '演示账号',
    demoHint: '一键登录体验',
    as: '以 {{account}} 登录',
  },
  signedIn: { account: '账号', role: '角色', logOut: '退出登录', roles: { user: '用户', admin: '管理员' } },
  language: { label: '语言', zh: '中文', en: 'English' },
  starting: '加载中…',
  retry: '重试',
  errors: {
    credentials: '账号或密码错误。',
    tooMany: '尝试次数过多,请稍候再试。',
    unavailable: '服务繁忙或未开放登录,请稍后再试。',
    offline: '无法连接到服务。',
    unexpected: '操作未成功:{{message}}',
    request: '请求编号 {{id}}',
  },
  version: '版本 {{version}}',
};
