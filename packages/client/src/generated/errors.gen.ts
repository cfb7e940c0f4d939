// Made by `npm run client:generate` from the catalogue of errors: do not edit.

/** The codes of error responses (docs/errors.md). */
export type ServiceErrorCode =
  | 400
  | 401
  | 403
  | 404
  | 409
  | 412
  | 413
  | 415
  | 422
  | 429
  | 460
  | 500
  | 503
  | 41001
  | 41002
  | 41003
  | 41004
  | 41005
  | 41006
  | 41007
  | 41008
  | 41009
  | 41010;

/** The keys of error responses (docs/errors.md). The keys after `NOT_PARTICIPANT` are violations of a 422. */
export type ServiceErrorKey =
  | 'BAD_REQUEST'
  | 'MALFORMED_JSON'
  | 'UNAUTHORIZED'
  | 'ADMIN_UNAUTHORIZED'
  | 'BAD_CREDENTIALS'
  | 'SESSION_OVER'
  | 'FORBIDDEN'
  | 'CONVERSATION_FORBIDDEN'
  | 'NOT_ALLOWED'
  | 'ROUTE_NOT_FOUND'
  | 'CALL_NOT_FOUND'
  | 'USER_NOT_FOUND'
  | 'DEVICE_NOT_FOUND'
  | 'DEVICE_GROUP_NOT_FOUND'
  | 'NOTIFICATION_NOT_FOUND'
  | 'MESSAGE_NOT_FOUND'
  | 'SESSION_NOT_FOUND'
  | 'KEY_NOT_FOUND'
  | 'WEBHOOK_NOT_FOUND'
  | 'DELIVERY_NOT_FOUND'
  | 'ANNOUNCEMENT_NOT_FOUND'
  | 'CONVERSATION_NOT_FOUND'
  | 'ATTACHMENT_NOT_FOUND'
  | 'PUSH_TARGET_NOT_FOUND'
  | 'REQUEST_ID_REUSED'
  | 'DEVICE_GROUP_HAS_SUBGROUPS'
  | 'DEVICE_GROUP_HAS_DEVICES'
  | 'SERIAL_NO_TAKEN'
  | 'USER_HAS_DEVICE'
  | 'ACCOUNT_TAKEN'
  | 'EXTERNAL_ID_TAKEN'
  | 'RECALL_TOO_LATE'
  | 'EDIT_TOO_LATE'
  | 'STORAGE_FULL'
  | 'UPLOAD_OFFSET_CONFLICT'
  | 'TUS_VERSION'
  | 'BODY_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'VALIDATION'
  | 'TOO_MANY_REQUESTS'
  | 'CHECKSUM_MISMATCH'
  | 'INTERNAL'
  | 'UNAVAILABLE'
  | 'CALLEE_BUSY'
  | 'CALLER_BUSY'
  | 'CALLEE_UNREACHABLE'
  | 'NOT_CALLEE'
  | 'NOT_CALLER'
  | 'ANSWERED_ELSEWHERE'
  | 'CALL_FINISHED'
  | 'CALL_ANSWERED'
  | 'CALL_NOT_ANSWERED'
  | 'NOT_PARTICIPANT'
  | 'EMPTY'
  | 'INVALID'
  | 'NOT_A_STRING'
  | 'NOT_AN_INTEGER'
  | 'NOT_AN_ARRAY'
  | 'NOT_AN_OBJECT'
  | 'PARENT_NOT_FOUND'
  | 'MOVED_INTO_ITSELF'
  | 'TOO_LONG'
  | 'TOO_SHORT'
  | 'TOO_SMALL'
  | 'TOO_LARGE'
  | 'TOO_MANY'
  | 'TOO_DEEP'
  | 'UNKNOWN_USERS'
  | 'UNKNOWN_DEVICES'
  | 'UNKNOWN_GROUPS';

/** The code and the message of each error, in Chinese and in English; `#` stands for numbers. */
export const MESSAGES: Readonly<
  Record<ServiceErrorKey, readonly [code: ServiceErrorCode, chinese: string, english: string]>
> = {
  BAD_REQUEST: [400, '请求无效', 'The request is not valid'],
  MALFORMED_JSON: [400, '请求体不是有效的 JSON', 'The request body is not valid JSON'],
  UNAUTHORIZED: [401, '未授权', 'Not authenticated'],
  ADMIN_UNAUTHORIZED: [401, '未授权,请先登录', 'Not authenticated, please log in first'],
  BAD_CREDENTIALS: [401, '账号或密码错误', 'Wrong account or password'],
  SESSION_OVER: [401, '登录已失效,请重新登录', 'Your session has ended, please log in again'],
  FORBIDDEN: [403, '无权限', 'Not authorised'],
  CONVERSATION_FORBIDDEN: [403, '无权访问此会话', 'No access to this conversation'],
  NOT_ALLOWED: [403, '无权操作', 'Not allowed'],
  ROUTE_NOT_FOUND: [404, '接口不存在', 'No such operation'],
  CALL_NOT_FOUND: [404, '通话不存在', 'The call does not exist'],
  USER_NOT_FOUND: [404, '用户不存在', 'The user does not exist'],
  DEVICE_NOT_FOUND: [404, '设备不存在', 'The device does not exist'],
  DEVICE_GROUP_NOT_FOUND: [404, '分组不存在', 'The group does not exist'],
  NOTIFICATION_NOT_FOUND: [404, '通知不存在', 'The notification does not exist'],
  MESSAGE_NOT_FOUND: [404, '消息不存在', 'The message does not exist'],
  SESSION_NOT_FOUND: [404, '会话不存在', 'The session does not exist'],
  KEY_NOT_FOUND: [404, '密钥不存在', 'The key does not exist'],
  WEBHOOK_NOT_FOUND: [404, '回调地址不存在', 'The webhook does not exist'],
  DELIVERY_NOT_FOUND: [404, '投递记录不存在', 'The delivery does not exist'],
  ANNOUNCEMENT_NOT_FOUND: [404, '公告不存在', 'The announcement does not exist'],
  CONVERSATION_NOT_FOUND: [404, '聊天会话不存在', 'The conversation does not exist'],
  ATTACHMENT_NOT_FOUND: [404, '附件不存在', 'The attachment does not exist'],
  PUSH_TARGET_NOT_FOUND: [404, '推送终端不存在', 'The push target does not exist'],
  REQUEST_ID_REUSED: [409, '请求标识已被使用', 'The request ID was already used with different content'],
  DEVICE_GROUP_HAS_SUBGROUPS: [409, '分组下存在子分组', 'The group has subgroups'],
  DEVICE_GROUP_HAS_DEVICES: [409, '分组下存在设备', 'The group has devices'],
  SERIAL_NO_TAKEN: [409, '序列号已存在', 'Another device has this serial number'],
  USER_HAS_DEVICE: [409, '用户已绑定其他设备', 'Another device is bound to this user'],
  ACCOUNT_TAKEN: [409, '账号已存在', 'Another user has this account'],
  EXTERNAL_ID_TAKEN: [409, '外部标识已存在', 'Another user has this external id'],
  RECALL_TOO_LATE: [409, '已超过撤回时限', 'It is too late to recall the message'],
  EDIT_TOO_LATE: [409, '已超过编辑时限', 'It is too late to edit the message'],
  STORAGE_FULL: [409, '存储空间不足', 'There is not enough storage space'],
  UPLOAD_OFFSET_CONFLICT: [409, '上传位置不一致', 'The upload continues at another position'],
  TUS_VERSION: [412, '不支持的 tus 版本', 'This version of tus is not supported'],
  BODY_TOO_LARGE: [413, '请求体过大', 'The request body is too large'],
  UNSUPPORTED_MEDIA_TYPE: [415, '不支持的内容类型', 'The content type is not supported'],
  VALIDATION: [422, '请求参数无效', 'The request is invalid'],
  TOO_MANY_REQUESTS: [429, '请求过于频繁', 'Too many requests'],
  CHECKSUM_MISMATCH: [460, '校验和不一致', 'The bytes do not match their checksum'],
  INTERNAL: [500, '服务器内部错误', 'Internal server error'],
  UNAVAILABLE: [503, '服务暂不可用', 'The service is unavailable for the moment'],
  CALLEE_BUSY: [41001, '对方忙线中', 'The other party is busy'],
  CALLER_BUSY: [41002, '您正在通话中', 'You are in another call'],
  CALLEE_UNREACHABLE: [41003, '无法呼叫该用户', 'This user cannot be called'],
  NOT_CALLEE: [41004, '非被叫方', 'You are not the callee'],
  NOT_CALLER: [41005, '非主叫方', 'You are not the caller'],
  ANSWERED_ELSEWHERE: [41006, '已被其他终端接听', 'The call was answered on another terminal'],
  CALL_FINISHED: [41007, '通话已结束', 'The call has ended'],
  CALL_ANSWERED: [41008, '通话已接听', 'The call has been answered'],
  CALL_NOT_ANSWERED: [41009, '通话未接听', 'The call has not been answered'],
  NOT_PARTICIPANT: [41010, '非参与方', 'You are not a participant in this call'],
  EMPTY: [422, '字段不能为空', 'must not be empty'],
  INVALID: [422, '取值无效', 'is invalid'],
  NOT_A_STRING: [422, '必须是字符串', 'must be a string'],
  NOT_AN_INTEGER: [422, '必须是整数', 'must be an integer'],
  NOT_AN_ARRAY: [422, '必须是数组', 'must be an array'],
  NOT_AN_OBJECT: [422, '必须是对象', 'must be an object'],
  PARENT_NOT_FOUND: [422, '上级分组不存在', 'The parent group does not exist'],
  MOVED_INTO_ITSELF: [422, '不能移动到自身或下级分组', 'A group cannot be moved into itself or a group below it'],
  TOO_LONG: [422, '长度不能超过 # 个字符', 'must not be longer than # characters'],
  TOO_SHORT: [422, '长度不能少于 # 个字符', 'must have at least # characters'],
  TOO_SMALL: [422, '不能小于 #', 'must not be less than #'],
  TOO_LARGE: [422, '不能大于 #', 'must not be greater than #'],
  TOO_MANY: [422, '数量不能超过 #', 'must not have more than # elements'],
  TOO_DEEP: [422, '分组层级不能超过 # 级', 'Groups must not be more than # levels deep'],
  UNKNOWN_USERS: [422, '用户不存在: #', 'Unknown users: #'],
  UNKNOWN_DEVICES: [422, '设备不存在: #', 'Unknown devices: #'],
  UNKNOWN_GROUPS: [422, '分组不存在: #', 'Unknown groups: #'],
};

/** Takes the place of the field name in a 422 about the whole body, in Chinese and in English. */
export const WHOLE_BODY = ['请求体', 'The request body'] as const;
