/** A kind of error: business code, HTTP status, and message for users. */
export interface ErrorSpec {
  code: number;
  status: number;
  message: string;
}

/** An error whose code is its HTTP status. */
const plain = (code: number, message: string): ErrorSpec => ({ code, status: code, message });
/** An error with a business code that differs from its HTTP status. */
const business = (code: number, status: number, message: string): ErrorSpec => ({ code, status, message });

/** All errors in responses (API 1.3). `docs/errors.md` explains each of them; a test compares the two. */
export const ERRORS = {
  BAD_REQUEST: plain(400, '请求无效'),
  MALFORMED_JSON: plain(400, '请求体不是有效的 JSON'),

  UNAUTHORIZED: plain(401, '未授权'),
  ADMIN_UNAUTHORIZED: plain(401, '未授权,请先登录'),
  BAD_CREDENTIALS: plain(401, '账号或密码错误'),
  SESSION_OVER: plain(401, '登录已失效,请重新登录'),

  FORBIDDEN: plain(403, '无权限'),
  CONVERSATION_FORBIDDEN: plain(403, '无权访问此会话'),
  NOT_ALLOWED: plain(403, '无权操作'),

  ROUTE_NOT_FOUND: plain(404, '接口不存在'),
  CALL_NOT_FOUND: plain(404, '通话不存在'),
  USER_NOT_FOUND: plain(404, '用户不存在'),
  DEVICE_NOT_FOUND: plain(404, '设备不存在'),
  DEVICE_GROUP_NOT_FOUND: plain(404, '分组不存在'),
  NOTIFICATION_NOT_FOUND: plain(404, '通知不存在'),
  MESSAGE_NOT_FOUND: plain(404, '消息不存在'),
  SESSION_NOT_FOUND: plain(404, '会话不存在'),
  KEY_NOT_FOUND: plain(404, '密钥不存在'),
  WEBHOOK_NOT_FOUND: plain(404, '回调地址不存在'),
  DELIVERY_NOT_FOUND: plain(404, '投递记录不存在'),
  ANNOUNCEMENT_NOT_FOUND: plain(404, '公告不存在'),
  CONVERSATION_NOT_FOUND: plain(404, '聊天会话不存在'),
  ATTACHMENT_NOT_FOUND: plain(404, '附件不存在'),
  PUSH_TARGET_NOT_FOUND: plain(404, '推送终端不存在'),

  REQUEST_ID_REUSED: plain(409, '请求标识已被使用'),
  DEVICE_GROUP_HAS_SUBGROUPS: plain(409, '分组下存在子分组'),
  DEVICE_GROUP_HAS_DEVICES: plain(409, '分组下存在设备'),
  SERIAL_NO_TAKEN: plain(409, '序列号已存在'),
  USER_HAS_DEVICE: plain(409, '用户已绑定其他设备'),
  ACCOUNT_TAKEN: plain(409, '账号已存在'),
  EXTERNAL_ID_TAKEN: plain(409, '外部标识已存在'),
  RECALL_TOO_LATE: plain(409, '已超过撤回时限'),
  EDIT_TOO_LATE: plain(409, '已超过编辑时限'),
  STORAGE_FULL: plain(409, '存储空间不足'),
  UPLOAD_OFFSET_CONFLICT: plain(409, '上传位置不一致'),

  TUS_VERSION: plain(412, '不支持的 tus 版本'),

  BODY_TOO_LARGE: plain(413, '请求体过大'),
  UNSUPPORTED_MEDIA_TYPE: plain(415, '不支持的内容类型'),
  /** The message of the first invalid field replaces this one (API 1.4). */
  VALIDATION: plain(422, '请求参数无效'),
  TOO_MANY_REQUESTS: plain(429, '请求过于频繁'),
  CHECKSUM_MISMATCH: plain(460, '校验和不一致'),

  INTERNAL: plain(500, '服务器内部错误'),
  UNAVAILABLE: plain(503, '服务暂不可用'),

  CALLEE_BUSY: business(41001, 409, '对方忙线中'),
  CALLER_BUSY: business(41002, 409, '您正在通话中'),
  CALLEE_UNREACHABLE: business(41003, 409, '无法呼叫该用户'),
  NOT_CALLEE: business(41004, 403, '非被叫方'),
  NOT_CALLER: business(41005, 403, '非主叫方'),
  ANSWERED_ELSEWHERE: business(41006, 409, '已被其他终端接听'),
  CALL_FINISHED: business(41007, 409, '通话已结束'),
  CALL_ANSWERED: business(41008, 409, '通话已接听'),
  CALL_NOT_ANSWERED: business(41009, 409, '通话未接听'),
  NOT_PARTICIPANT: business(41010, 403, '非参与方'),
} as const satisfies Record<string, ErrorSpec>;

export type ErrorKey = keyof typeof ERRORS;
