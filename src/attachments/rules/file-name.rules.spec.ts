import { attachmentDisposition, safeFileName } from './file-name.rules';

describe('safeFileName', () => {
  it.each([
    ['报告.pdf', '报告.pdf'],
    ['../../etc/passwd', 'passwd'],
    [String.raw`C:\Users\me\photo.jpg`, 'photo.jpg'],
    ['invoice\u202Efdp.exe', 'invoicefdp.exe'],
    ['a\r\nSet-Cookie: b.txt', 'aSet-Cookie: b.txt'],
    ['a\u0000b', 'ab'],
    ['..', 'file'],
    ['dir/', 'file'],
    [' \u200B ', 'file'],
    ['', 'file'],
    [undefined, 'file'],
    ['\uD800.txt', '\uFFFD.txt'],
  ])('converts %j to %j', (given, name) => {
    expect(safeFileName(given)).toBe(name);
  });

  it('cuts a name at 255 characters, not within one', () => {
    expect(safeFileName('😀'.repeat(300))).toBe('😀'.repeat(255));
  });
});

describe('attachmentDisposition', () => {
  it('encodes every character that would end the header or the value', () => {
    expect(attachmentDisposition(`报 "告'(1)*;.pdf`)).toBe(
      "attachment; filename*=UTF-8''%E6%8A%A5%20%22%E5%91%8A%27%281%29%2A%3B.pdf",
    );
  });
});
