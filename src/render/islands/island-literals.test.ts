import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collectClassWords } from './island-literals.ts'

test('a quotation mark that nothing closes hides no string behind it', () => {
  const code = `const a=/it's/;h("p",{class:"pl-[37px] flex"});const b=\`m-\${x} w-2\``
  const words = collectClassWords(code)
  for (const word of ['pl-[37px]', 'flex', 'w-2']) assert.ok(words.includes(word), word)
})

test('marks in regular expressions begin no string', () => {
  const code = `const a=b.replace(/['‘’]/g,"-").replace(/["]/g,'');h("p",{class:c?"pl-[37px]":""})`
  assert.ok(collectClassWords(code).includes('pl-[37px]'))
})

test('marks without end cost time that grows with the text alone', () => {
  for (const mark of ['"', "'", '`', "'\\", '"\\', '"\'`']) {
    const started = process.cpuUsage()
    collectClassWords(mark.repeat(500_000))
    assert.ok(process.cpuUsage(started).user < 5_000_000, mark)
  }
})
