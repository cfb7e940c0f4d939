import { readFileRows } from './device-file';

const file = (text: string): Buffer => Buffer.from(text);
const errorOf = (bytes: Buffer): Promise<string> =>
  readFileRows(bytes).then(
    () => 'none',
    ({ message }: Error) => message,
  );
const cells = (serial_no: string, name: string) => ({ serial_no, name });

describe('readFileRows', () => {
  it('reads columns in any order, and empty or missing cells as empty', async () => {
    expect(await readFileRows(file('group_ids, serial_no ,status\n3|14,SN-1,1\n,SN-2\n'))).toEqual([
      { line: 2, cells: { group_ids: '3|14', serial_no: 'SN-1', status: '1' } },
      { line: 3, cells: { group_ids: '', serial_no: 'SN-2', status: '' } },
    ]);
  });

  it('counts physical lines with any line ending, also within quotes', async () => {
    const text = '\r\nserial_no,name\r\nA,"two\r\nlines"\r\n\r\n,\nB,"say ""hi"", friend"\rC,last';
    expect(await readFileRows(file(text))).toEqual([
      { line: 3, cells: cells('A', 'two\nlines') },
      { line: 6, cells: cells('', '') },
      { line: 7, cells: cells('B', 'say "hi", friend') },
      { line: 8, cells: cells('C', 'last') },
    ]);
  });

  it('reads UTF-8 with a byte order mark, and GB18030 as written by Excel', async () => {
    expect(await readFileRows(file('\uFEFFserial_no,name\nA,门口机\n'))).toEqual([
      { line: 2, cells: cells('A', '门口机') },
    ]);
    // serial_no,name / A,门口机
    const gb = Buffer.concat([
      file('serial_no,name\r\nA,'),
      Buffer.from([0xc3, 0xc5, 0xbf, 0xda, 0xbb, 0xfa, 0x0d, 0x0a]),
    ]);
    expect(await readFileRows(gb)).toEqual([{ line: 2, cells: cells('A', '门口机') }]);
  });

  it('reads formulas as plain text', async () => {
    expect(await readFileRows(file('serial_no,name\n=1+1,"@SUM(A1,A2)"\n-7,+8\n'))).toEqual([
      { line: 2, cells: cells('=1+1', '@SUM(A1,A2)') },
      { line: 3, cells: cells('-7', '+8') },
    ]);
  });

  it('removes the quotes that an export adds before formulas, and ignores export-only columns', async () => {
    const text = "id,serial_no,name,online,group_ids,group_path\n7,'-1,'=1+1;'@A,true,3|14,A/'B\n";
    expect(await readFileRows(file(text))).toEqual([
      {
        line: 2,
        cells: { serial_no: '-1', name: '=1+1;@A', group_ids: '3|14', group_path: "A/'B" },
      },
    ]);
  });

  it('marks a line with more cells than the header, unless the extra cells are empty', async () => {
    expect(await readFileRows(file('serial_no\nA,x\nB,,\n'))).toEqual([
      { line: 2, cells: undefined },
      { line: 3, cells: { serial_no: 'B' } },
    ]);
  });

  it.each([
    ['', 'file 字段不能为空'],
    ['\uFEFF\r\n\r\n', 'file 字段不能为空'],
    ['name\nDoor\n', 'file 取值无效'],
    ['serial_no,colour\nA,red\n', 'file 取值无效'],
    ['serial_no,serial_no\nA,A\n', 'file 取值无效'],
    ['serial_no,\nA,\n', 'file 取值无效'],
    ['serial_no;name\nA;Door\n', 'file 取值无效'],
    ['serial_no,name\nA,"Door\n', 'file 取值无效'],
    ['serial_no,name\nA,"Door"x\n', 'file 取值无效'],
    ['serial_no,name\nA,Do"or\n', 'file 取值无效'],
    ['serial_no\u0000\nA\n', 'file 取值无效'],
    ['serial_no\n', 'none'],
  ])('validates %j', async (text, message) => {
    expect(await errorOf(file(text))).toBe(message);
  });

  it('rejects other encodings', async () => {
    expect(await errorOf(Buffer.concat([file('serial_no\n'), Buffer.from([0xff, 0xff, 0x0a])]))).toBe(
      'file 取值无效',
    );
  });

  it('accepts at most 10,000 lines that are not empty', async () => {
    const lines = (count: number): Buffer => file(`serial_no\n\n${'A\n'.repeat(count)}`);
    expect(await readFileRows(lines(10_000))).toHaveLength(10_000);
    expect(await errorOf(lines(10_001))).toBe('file 数量不能超过 10000');
  });

  it.each([
    ['empty lines', `serial_no\n${'\n'.repeat(1_000_000)}`, 61],
    ['cells', `serial_no\n${','.repeat(1_000_000)}`, 61],
    ['quotes', `serial_no\n"${'""'.repeat(500_000)}"`, 61],
    ['open quotes', `serial_no\n"${'A,\n'.repeat(340_000)}`, 61],
    ['carriage returns', `serial_no\n"${'\r'.repeat(1_000_000)}"`, 61],
    ['Chinese', `serial_no\n${'\u95e8'.repeat(340_000)}`, 20],
    // Rejected at the first line above the limit, which is in the second slice.
    ['short lines', `serial_no\n${'A\n'.repeat(500_000)}`, 1],
  ])('yields to the event loop while it reads 1 MiB of %s', async (_, text, turns) => {
    expect(await turnsDuring(() => errorOf(file(text)))).toBeGreaterThanOrEqual(turns);
  });
});

/** Returns the number of event-loop turns that other work gets while `work` runs. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  const over = new AbortController();
  let turns = 0;
  void work().finally(() => over.abort());
  for (; !over.signal.aborted; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  return turns;
}
