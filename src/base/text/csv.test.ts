import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { csvLine } from './csv.ts'

test('cells are joined by commas, a line ends in CRLF, null is empty', () => {
  assert.equal(csvLine(['a', null, true, '']), 'a,,true,\r\n')
})

test('commas, quotes and line ends make a quoted cell with doubled quotes', () => {
  assert.equal(csvLine(['a,b', 'say "x"', 'a\nb', 'a\rb']), '"a,b","say ""x""","a\nb","a\rb"\r\n')
})

test('a text that a spreadsheet would run is shown instead', () => {
  for (const start of ['=', '+', '-', '@', '\t', '＝'])
    assert.equal(csvLine([`${start}cmd|x`]), `'${start}cmd|x\r\n`)
  assert.equal(csvLine(['\r=x']), `"'\r'=x"\r\n`)
  assert.equal(csvLine(['a=b', '1-1', "'x"]), "a=b,1-1,'x\r\n")
})

test('what nobody sees in front of a formula does not hide it', () => {
  const spaces = [' ', '  \u00a0', '\u3000']
  // All characters that Unicode normalizes to one of these.
  const initials = Array.from({ length: 0x1_0000 }, (_, code) => String.fromCharCode(code)).filter((sign) =>
    /^[=+\-@\u2212]$/.test(sign.normalize('NFKC')),
  )
  assert.ok(initials.length >= 20)
  const unseen = ['\ufeff', '\u200b', '\u200d\u2060', '\u00ad', '\u202e', '\0', '\u3164', '\ufe0f']
  for (const before of [...spaces, ...unseen])
    for (const start of initials)
      assert.equal(csvLine([`${before}${start}cmd`]), `'${before}${start}cmd\r\n`, JSON.stringify(before))
  assert.equal(csvLine([' a=b', '\ufeffx-1', '   ']), ' a=b,\ufeffx-1,   \r\n')
})

test('what other programs take for a cell of its own does not run there either', () => {
  assert.equal(csvLine(['a;=cmd']), "a;'=cmd\r\n")
  assert.equal(csvLine(['a; \u200b+1;b;-2']), "a; \u200b'+1;b;'-2\r\n")
  assert.equal(csvLine(['a\t@x|=y']), "a\t'@x|'=y\r\n")
  assert.equal(csvLine(['a\n=x']), `"a\n'=x"\r\n`)
  assert.equal(csvLine(['a;"=x"']), `"a;""'=x"""\r\n`)
  assert.equal(csvLine([';=x']), ";'=x\r\n")
  assert.equal(csvLine(['"=x']), `"'""=x"\r\n`)
  assert.equal(csvLine(['a;b=c;d']), 'a;b=c;d\r\n')
})

test('a megabyte of what is skipped is one walk', () => {
  for (const unit of [' ', ';', '\t', ' ;', '=', ';=', '"'])
    assert.ok(csvLine([`x${unit.repeat(1_000_000 / unit.length)}y`]).length > 1_000_000)
})

test('no text can leave its cell', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1 }), (cells) => {
      const read = parse(csvLine(cells))
      // Nothing changed except for added apostrophes.
      const bare = (list: string[]) => list.map((cell) => cell.replaceAll("'", ''))
      assert.deepEqual(bare(read), bare(cells))
      for (const cell of read) assert.doesNotMatch(cell, /^[=+\-@\t\r\n＝＋－＠]/)
    }),
  )
})

/** Parses a line according to RFC 4180. */
function parse(line: string): string[] {
  const row = `,${line.slice(0, -2)}`
  const cells = [...row.matchAll(/,(?:"((?:[^"]|"")*)"|([^",\r\n]*))/g)]
  assert.equal(cells.map(([whole]) => whole).join(''), row)
  return cells.map(([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain)
}
