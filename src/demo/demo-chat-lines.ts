import type { MessageContent } from '../messaging/rules/message-content';

/** What somebody says; text is short for a message of that type. */
export type DemoLine = string | MessageContent;

/** What changes from day to day, so that no day repeats another. */
const DAYS = [
  { food: '火锅', place: '河边', film: '《流浪地球》', weather: '下雨' },
  { food: '兰州拉面', place: '图书馆', film: '《千与千寻》', weather: '降温' },
  { food: '烤鱼', place: '体育馆', film: '《海街日记》', weather: '放晴' },
  { food: '寿司', place: '植物园', film: '《星际穿越》', weather: '刮风' },
  { food: '饺子', place: '美术馆', film: '《寻梦环游记》', weather: '下雪' },
] as const;

type Day = (typeof DAYS)[number];

export const CHAT_DAYS = DAYS.length;

/** A day's chat of two: sixty lines, said in turn; the last four are one person's. */
export const chatOfDay = (day: number): DemoLine[] => DAYS.slice(day, day + 1).flatMap(linesOf);

const linesOf = ({ food, place, film, weather }: Day): DemoLine[] => [
  '早上好 ☀️',
  '早,昨晚睡得好吗?',
  '还行,就是隔壁有点吵',
  '我这边也听到了,好像在装修',
  `听说今天要${weather}`,
  `是啊,我带了外套`,
  '门口机又能用了吗?',
  '能了,物业刚修好',
  {
    type: 'image',
    content: 'https://example.com/demo/door.jpg',
    extra: { width: 1080, height: 720 },
  },
  '画面清楚多了 👍',
  '晚上还能看到车牌',
  '那就放心了',
  `今晚吃${food}怎么样?`,
  `好呀,好久没吃${food}了`,
  '六点半?',
  '七点吧,我六点才开完会',
  '行,七点',
  '要不要叫上管理员?',
  '他今天值班',
  '那下次',
  '我先订位子',
  '靠窗的最好',
  {
    type: 'location',
    content: '31.2304,121.4737',
    extra: { title: `${food}店` },
  },
  '收到,走过去十分钟',
  '停车方便吗?',
  '地下车库有空位',
  '好',
  `周末去${place}走走?`,
  '可以,周六还是周日',
  '周日人少一点',
  '那就周日上午',
  '我查了路线',
  {
    type: 'file',
    content: 'https://example.com/demo/route.pdf',
    extra: { name: `${place}路线.pdf`, size: 183_204 },
  },
  '太详细了 😂',
  '有备无患嘛',
  '带点水果吧',
  '我来买',
  '那我带水',
  `对了,${film}你看过吗`,
  '看过两遍',
  '值得看吗?',
  '很值得,结尾别剧透给别人',
  { type: 'audio', content: 'https://example.com/demo/note.mp3', extra: { duration: 7 } },
  '哈哈,唱得不错',
  '别笑',
  '没笑,真的不错',
  '下午快递放前台了',
  '几号柜?',
  '短信里有',
  '看到了,谢谢',
  '我这边会开完了',
  '这么快?',
  '少了两项议程',
  { type: 'video', content: 'https://example.com/demo/view.mp4', extra: { duration: 12 } },
  '风景真好,从会议室拍的吗?',
  '对,28 层',
  '羡慕',
  '我先下楼了',
  '到了给你打电话 📞',
  `外面${weather},路上小心`,
];

/** What the group says: who, and what. */
export const GROUP_LINES: (readonly [who: 'alice' | 'bob' | 'door' | 'admin', line: DemoLine])[] = [
  ['alice', '大家好,建了个群,楼里的事在这里说'],
  ['bob', '支持 👏'],
  ['admin', '各位好,我是物业管理员,有事请直接说'],
  [
    'door',
    { type: 'image', content: 'https://example.com/demo/gate.jpg', extra: { width: 640, height: 480 } },
  ],
  ['bob', '东门今天几点关?'],
  ['admin', '晚上十一点,之后请用门口机呼叫'],
  ['alice', '明白'],
  ['admin', { type: 'file', content: 'https://example.com/demo/rules.pdf', extra: { name: '住户须知.pdf' } }],
  ['bob', '收到'],
  ['alice', '周六一起打扫院子,有人来吗?'],
  ['bob', '算我一个'],
  ['admin', { type: 'location', content: '31.2310,121.4741', extra: { title: '中心花园' } }],
  ['bob', '几点集合?'],
  ['admin', '上午九点,工具我准备'],
];
