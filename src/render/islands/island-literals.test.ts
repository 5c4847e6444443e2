import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collectClassWords } from './island-literals.ts'

test('an unclosed quotation mark does not hide later strings', () => {
  const code = `const a=/it's/;h("p",{class:"pl-[37px] flex"});const b=\`m-\${x} w-2\``
  const words = collectClassWords(code)
  for (const word of ['pl-[37px]', 'flex', 'w-2']) assert.ok(words.includes(word), word)
})

test('quotation marks in regular expressions do not start a string', () => {
  const code = `const a=b.replace(/['‘’]/g,"-").replace(/["]/g,'');h("p",{class:c?"pl-[37px]":""})`
  assert.ok(collectClassWords(code).includes('pl-[37px]'))
})

test('scans unterminated quotation marks in linear time', () => {
  for (const mark of ['"', "'", '`', "'\\", '"\\', '"\'`']) {
    const started = process.cpuUsage()
    collectClassWords(mark.repeat(500_000))
    assert.ok(process.cpuUsage(started).user < 5_000_000, mark)
  }
})
