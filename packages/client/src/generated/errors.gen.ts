// Made by `npm run client:generate` from the catalogue of errors: do not edit.

/** What the service refuses with (docs/errors.md). */
export type ServiceErrorCode =
  | 400
  | 401
  | 403
  | 404
  | 409
  | 413
  | 415
  | 422
  | 429
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

/** The service’s sentences in English, by the Chinese ones; `#` stands for numbers. */
export const ENGLISH: ReadonlyMap<string, string> = new Map([
  ['请求无效', 'The request is not valid'],
  ['请求体不是有效的 JSON', 'The request body is not valid JSON'],
  ['未授权', 'Not authenticated'],
  ['未授权,请先登录', 'Not authenticated, please log in first'],
  ['账号或密码错误', 'Wrong account or password'],
  ['登录已失效,请重新登录', 'The session is over, please log in again'],
  ['无权限', 'Not authorised'],
  ['无权访问此会话', 'No access to this conversation'],
  ['无权操作', 'Not allowed'],
  ['接口不存在', 'No such operation'],
  ['通话不存在', 'The call does not exist'],
  ['用户不存在', 'The user does not exist'],
  ['设备不存在', 'The device does not exist'],
  ['分组不存在', 'The group does not exist'],
  ['通知不存在', 'The notification does not exist'],
  ['消息不存在', 'The message does not exist'],
  ['会话不存在', 'The session does not exist'],
  ['密钥不存在', 'The key does not exist'],
  ['回调地址不存在', 'The webhook does not exist'],
  ['投递记录不存在', 'The delivery does not exist'],
  ['公告不存在', 'The announcement does not exist'],
  ['请求标识已被使用', 'The request id was used before with another content'],
  ['分组下存在子分组', 'The group has groups below it'],
  ['分组下存在设备', 'The group has devices'],
  ['序列号已存在', 'Another device has this serial number'],
  ['用户已绑定其他设备', 'Another device is bound to this user'],
  ['账号已存在', 'Another user has this account'],
  ['外部标识已存在', 'Another user has this external id'],
  ['已超过撤回时限', 'It is too late to recall the message'],
  ['已超过编辑时限', 'It is too late to edit the message'],
  ['请求体过大', 'The request body is too large'],
  ['不支持的内容类型', 'The content type is not supported'],
  ['请求参数无效', 'The request is invalid'],
  ['请求过于频繁', 'Too many requests'],
  ['服务器内部错误', 'Internal server error'],
  ['服务暂不可用', 'The service is unavailable for the moment'],
  ['对方忙线中', 'The other party is busy'],
  ['您正在通话中', 'You are in another call'],
  ['无法呼叫该用户', 'This user cannot be called'],
  ['非被叫方', 'You are not the callee'],
  ['非主叫方', 'You are not the caller'],
  ['已被其他终端接听', 'The call was answered on another terminal'],
  ['通话已结束', 'The call has ended'],
  ['通话已接听', 'The call has been answered'],
  ['通话未接听', 'The call has not been answered'],
  ['非参与方', 'You take no part in the call'],
  ['请求体', 'The request body'],
  ['字段不能为空', 'must not be empty'],
  ['取值无效', 'is invalid'],
  ['必须是字符串', 'must be a string'],
  ['必须是整数', 'must be an integer'],
  ['必须是数组', 'must be an array'],
  ['必须是对象', 'must be an object'],
  ['上级分组不存在', 'The parent group does not exist'],
  ['不能移动到自身或下级分组', 'A group cannot be moved into itself or a group below it'],
  ['长度不能超过 # 个字符', 'must not be longer than # characters'],
  ['长度不能少于 # 个字符', 'must have at least # characters'],
  ['不能小于 #', 'must not be less than #'],
  ['不能大于 #', 'must not be greater than #'],
  ['数量不能超过 #', 'must not have more than # elements'],
  ['分组层级不能超过 # 级', 'Groups must not be more than # levels deep'],
  ['用户不存在: #', 'Unknown users: #'],
  ['设备不存在: #', 'Unknown devices: #'],
  ['分组不存在: #', 'Unknown groups: #'],
]);
