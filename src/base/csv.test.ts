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
  assert.equal(csvLine(['\r=x']), `"'\r=x"\r\n`)
  assert.equal(csvLine(['a=b', '1-1', "'x"]), "a=b,1-1,'x\r\n")
})

test('no text can leave its cell', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1 }), (cells) => {
      assert.deepEqual(
        parse(csvLine(cells)),
        cells.map((cell) => (/^[=+\-@\t\r\n＝＋－＠]/.test(cell) ? `'${cell}` : cell)),
      )
    }),
  )
})

/** One line as RFC 4180 reads it. */
function parse(line: string): string[] {
  const row = `,${line.slice(0, -2)}`
  const cells = [...row.matchAll(/,(?:"((?:[^"]|"")*)"|([^",\r\n]*))/g)]
  assert.equal(cells.map(([whole]) => whole).join(''), row)
  return cells.map(([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain)
}
