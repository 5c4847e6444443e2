import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { csvLine } from './csv.ts'

test('joins cells with commas, ends a line with CRLF and writes null as an empty cell', () => {
  assert.equal(csvLine(['a', null, true, '']), 'a,,true,\r\n')
})

test('quotes cells with commas, quotes or line breaks and doubles the quotes', () => {
  assert.equal(csvLine(['a,b', 'say "x"', 'a\nb', 'a\rb']), '"a,b","say ""x""","a\nb","a\rb"\r\n')
})

test('escapes cells that a spreadsheet would run as a formula', () => {
  for (const start of ['=', '+', '-', '@', '\t', '＝'])
    assert.equal(csvLine([`${start}cmd|x`]), `'${start}cmd|x\r\n`)
  assert.equal(csvLine(['\r=x']), `"'\r'=x"\r\n`)
  assert.equal(csvLine(['a=b', '1-1', "'x"]), "a=b,1-1,'x\r\n")
})

test('escapes formulas behind whitespace and invisible characters', () => {
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

test('escapes formulas behind semicolons, tabs, line breaks and quotes within a cell', () => {
  assert.equal(csvLine(['a;=cmd']), "a;'=cmd\r\n")
  assert.equal(csvLine(['a; \u200b+1;b;-2']), "a; \u200b'+1;b;'-2\r\n")
  assert.equal(csvLine(['a\t@x|=y']), "a\t'@x|'=y\r\n")
  assert.equal(csvLine(['a\n=x']), `"a\n'=x"\r\n`)
  assert.equal(csvLine(['a;"=x"']), `"a;""'=x"""\r\n`)
  assert.equal(csvLine([';=x']), ";'=x\r\n")
  assert.equal(csvLine(['"=x']), `"'""=x"\r\n`)
  assert.equal(csvLine(['a;b=c;d']), 'a;b=c;d\r\n')
})

test('handles a megabyte of skipped characters in one pass', () => {
  for (const unit of [' ', ';', '\t', ' ;', '=', ';=', '"'])
    assert.ok(csvLine([`x${unit.repeat(1_000_000 / unit.length)}y`]).length > 1_000_000)
})

test('no text breaks out of its cell', () => {
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
