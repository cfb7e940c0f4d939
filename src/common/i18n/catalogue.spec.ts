import { ERRORS } from '../errors/error-catalogue';
import { EN } from './en';
import { translate, type MessageCatalogue } from './catalogue';
import { ZH_CN } from './zh-cn';

const CHINESE = /\p{Script=Han}/u;

const PARTS: Record<string, unknown> = {
  unknownUsers: [7, 9],
  unknownDevices: [7, 9],
  unknownGroups: [7, 9],
  recalled: { is_self: false, name: 'Ann' },
  membersAdded: { actor: 'Ann', names: ['Ben', 'Cat'], count: 2 },
  memberRemoved: { actor: 'Ann', name: 'Ben' },
  groupRenamed: { actor: 'Ann', name: 'Trip' },
};

/** Returns every text of a catalogue by its key. Texts with parameters get the same arguments in each language. */
function sentencesOf(catalogue: MessageCatalogue): Record<string, string> {
  const { messages, errors, ...phrases } = catalogue;
  return {
    ...Object.fromEntries(
      Object.entries(messages).map(([key, translation]) => [`message ${key}`, translation]),
    ),
    ...Object.fromEntries(Object.entries(errors).map(([key, translation]) => [`error ${key}`, translation])),
    ...Object.fromEntries(
      Object.entries(phrases).map(([name, phrase]) => [
        `phrase ${name}`,
        (phrase as (...parts: unknown[]) => string)(PARTS[name] ?? 7, 'video'),
      ]),
    ),
  };
}

const recalled = (is_self: boolean, name: string | null) => (catalogue: MessageCatalogue) =>
  catalogue.recalled({ is_self, name });

describe('Message catalogues', () => {
  const [chinese, english] = [sentencesOf(ZH_CN), sentencesOf(EN)];

  it('contain every key', () => {
    expect(Object.keys(chinese).length).toBeGreaterThan(55);
    expect(Object.keys(english).toSorted()).toEqual(Object.keys(chinese).toSorted());
    expect(Object.keys(EN.errors).toSorted()).toEqual(Object.keys(ERRORS).toSorted());
    expect(Object.keys(EN.messages).toSorted()).toEqual(Object.keys(ZH_CN.messages).toSorted());
  });

  it('contain only texts of their own language', () => {
    expect(
      Object.entries(english).filter(
        ([, translation]) => CHINESE.test(translation) || translation.trim() === '',
      ),
    ).toEqual([]);
    expect(Object.entries(chinese).filter(([, translation]) => !CHINESE.test(translation))).toEqual([]);
  });

  it('have as many distinct texts in English as in Chinese', () => {
    const count = (sentences: Record<string, string>) => new Set(Object.values(sentences)).size;
    expect(count(english)).toBe(count(chinese));
  });

  it('keep the exact Chinese texts of the original operations', () => {
    expect(ZH_CN.messages).toEqual({
      answeredElsewhere: '已在其他设备接听',
      callOver: '通话已结束',
      declinedElsewhere: '已在其他设备拒绝',
      incomingCall: '来电',
      incomingVideoCall: '视频来电',
      newMessage: '新消息',
      newNotification: '新通知',
      testPushBody: '推送可以到达此设备',
      testPushTitle: '测试推送',
      done: '操作成功',
      marked: '标记成功',
      requestBody: '请求体',
      required: '字段不能为空',
      invalid: '取值无效',
      notAString: '必须是字符串',
      notAnInteger: '必须是整数',
      notAnArray: '必须是数组',
      notAnObject: '必须是对象',
      parentGroupNotFound: '上级分组不存在',
      groupIntoItself: '不能移动到自身或下级分组',
      missedCallTitle: '未接来电',
      yesterday: '昨天',
      sunday: '星期日',
      monday: '星期一',
      tuesday: '星期二',
      wednesday: '星期三',
      thursday: '星期四',
      friday: '星期五',
      saturday: '星期六',
      image: '[图片]',
      file: '[文件]',
      audio: '[语音]',
      video: '[视频]',
      location: '[位置]',
      messageRecalled: '消息已撤回',
      messageDeleted: '消息已删除',
      voiceCall: '[语音通话]',
      videoCall: '[视频通话]',
      duration: '通话时长',
      noAnswer: '未接听',
      cancelled: '已取消',
      declined: '已拒绝',
      busy: '对方忙线中',
      webhookDisabledTitle: '回调地址已停用',
    });
    expect(ZH_CN.errors.ADMIN_UNAUTHORIZED).toBe('未授权,请先登录');
  });

  it.each([
    [
      '长度不能超过 50 个字符',
      'must not be longer than 50 characters',
      (catalogue: MessageCatalogue) => catalogue.tooLong(50),
    ],
    [
      '长度不能少于 8 个字符',
      'must have at least 8 characters',
      (catalogue: MessageCatalogue) => catalogue.tooShort(8),
    ],
    ['不能小于 1', 'must not be less than 1', (catalogue: MessageCatalogue) => catalogue.tooSmall(1)],
    [
      '不能大于 100',
      'must not be greater than 100',
      (catalogue: MessageCatalogue) => catalogue.tooLarge(100),
    ],
    [
      '数量不能超过 500',
      'must not have more than 500 elements',
      (catalogue: MessageCatalogue) => catalogue.tooMany(500),
    ],
    [
      '用户不存在: 7, 9',
      'Unknown users: 7, 9',
      (catalogue: MessageCatalogue) => catalogue.unknownUsers([7, 9]),
    ],
    ['设备不存在: 7', 'Unknown devices: 7', (catalogue: MessageCatalogue) => catalogue.unknownDevices([7])],
    [
      '分组不存在: 7, 9',
      'Unknown groups: 7, 9',
      (catalogue: MessageCatalogue) => catalogue.unknownGroups([7, 9]),
    ],
    [
      '分组层级不能超过 10 级',
      'Groups must not be more than 10 levels deep',
      (catalogue: MessageCatalogue) => catalogue.tooDeep(10),
    ],
    ['用户7', 'User 7', (catalogue: MessageCatalogue) => catalogue.userWithoutName(7)],
    [
      'Ann 的语音通话',
      'Ann tried to call you (audio)',
      (catalogue: MessageCatalogue) => catalogue.missedCall('Ann', 'audio'),
    ],
    [
      'Ann 的视频通话',
      'Ann tried to call you (video)',
      (catalogue: MessageCatalogue) => catalogue.missedCall('Ann', 'video'),
    ],
    [
      'Ann邀请Ben、Cat加入了群聊',
      'Ann added Ben, Cat',
      (catalogue: MessageCatalogue) =>
        catalogue.membersAdded({ actor: 'Ann', names: ['Ben', 'Cat'], count: 2 }),
    ],
    [
      'Ann邀请Ben、Cat、Dan等5人加入了群聊',
      'Ann added Ben, Cat, Dan and others (5 in all)',
      (catalogue: MessageCatalogue) =>
        catalogue.membersAdded({ actor: 'Ann', names: ['Ben', 'Cat', 'Dan'], count: 5 }),
    ],
    ['Ann退出了群聊', 'Ann left the group', (catalogue: MessageCatalogue) => catalogue.memberLeft('Ann')],
    [
      'Ann将Ben移出了群聊',
      'Ann removed Ben from the group',
      (catalogue: MessageCatalogue) => catalogue.memberRemoved({ actor: 'Ann', name: 'Ben' }),
    ],
    [
      'Ann将群名修改为“Trip”',
      'Ann renamed the group to “Trip”',
      (catalogue: MessageCatalogue) => catalogue.groupRenamed({ actor: 'Ann', name: 'Trip' }),
    ],
    [
      'Ann修改了群头像',
      'Ann changed the group picture',
      (catalogue: MessageCatalogue) => catalogue.groupPictureChanged('Ann'),
    ],
    ['你撤回了一条消息', 'You recalled a message', recalled(true, 'Ann')],
    ['Ann撤回了一条消息', 'Ann recalled a message', recalled(false, 'Ann')],
    ['撤回了一条消息', 'A message was recalled', recalled(false, null)],
    ['取值无效', 'is invalid', 'invalid' as const],
  ])('contain %s and in English %s', (inChinese, inEnglish, message) => {
    expect([translate(ZH_CN, message), translate(EN, message)]).toEqual([inChinese, inEnglish]);
  });
});
