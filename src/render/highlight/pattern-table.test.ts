import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { defaultJavaScriptRegexConstructor } from 'shiki/engine/javascript'
import { createCodeHighlighter } from './highlight.ts'
import { type PatternTable, patternTableText } from './pattern-table.ts'
import { createExpression, translatePattern } from './pattern-translation.ts'
import { findRequiredTexts } from './required-texts.ts'

const themes = { light: 'github-light-default', dark: 'dark-plus' }
const BLOCKS = [
  [
    'typescript',
    'const größe: Map<string, number> = f("日本語", `a${b}`) // ✓ done\nexport type A = keyof B',
  ],
  ['python', 'def é(x: int = 1) -> str:\n    """ÄÖ\n    \\N{BULLET}"""\n    return f"{x!r:>{w}} ½"'],
  ['bash', 'cat <<EOF | tee "ÄÖ"\nhello $USER ª²\nEOF\ncurl --data \'{"a": 1}\' | jq .[]'],
  ['php', '<?php\n$ä = ["x" => fn($y) => $y ** 2, ...$z];\n?>\n<b>é</b>'],
  ['sql', 'SELECT Äb AS "x" FROM t WHERE a LIKE \'%µ%\' -- ß'],
  ['yaml', 'a: &x\n  - "ü": |\n      text\n  - *x'],
  ['markdown', '# T\n\n```js\nconst a = 1\n```\n\n- **b** `c` 🎉'],
] as const

let table: PatternTable
before(async () => {
  table = new Map(JSON.parse(await patternTableText()))
})

test('precompiled patterns give the same colours', async () => {
  const ahead = createCodeHighlighter(() => table)
  const anew = createCodeHighlighter()
  for (const [language, code] of BLOCKS) {
    const block = { language, code, highlight: [], focus: [], lines: false }
    assert.deepEqual(await ahead.highlight(block, themes), await anew.highlight(block, themes), language)
  }
})

test('a character class reduced to Latin-1 matches the same text as the full class', () => {
  const line = 'aZ9_ \u00a0\u0085ªµºÀÖ×ØöÿĀ½²§ = (x => "é") /* ß */ #ñ'.replace('Ā', 'A')
  for (const written of [
    '\\w+',
    '\\W',
    '[[:alpha:]&&[^z]]+',
    '[^[:upper:]\\s]+',
    '\\p{^L}',
    '(?<![\\w$])\\h+',
    '[[:punct:]]',
    '(?i)[[:lower:]]+',
    '(?i:\\p{Lu})b?',
    '\\\\p{L}|\\d',
  ]) {
    const whole = defaultJavaScriptRegexConstructor(written)
    const narrow = createExpression(translatePattern(written))
    assert.deepEqual([...line.matchAll(narrow)], [...line.matchAll(whole)], written)
  }
})

test('a pattern never matches text without any of its required substrings', () => {
  const texts = BLOCKS.flatMap(([, code]) => code.split('\n')).flatMap((line) => [line, `${line}\n`])
  const samples = [...texts, ...texts.map((text) => text.slice(text.length / 2))]
  let judged = 0
  for (const [written, pattern] of table) {
    const { required } = pattern
    if (required === null) continue
    const expression = createExpression(pattern)
    for (const text of samples) {
      if (required.some((part) => text.includes(part))) continue
      judged += 1
      expression.lastIndex = 0
      assert.equal(expression.exec(text), null, `${written} in ${text}`)
    }
  }
  assert.ok(judged > 10_000)
})

for (const [pattern, required] of [
  ['\\b(?:async)\\s+(function|fn)\\b', ['async']],
  ['(?<!x)a(?=b)bc*d', ['ab']],
  ['(?<=lookbehind)["\']', ['"', "'"]],
  ['(?:if|else)?[a-c]+', null],
  ['(?=\\{)|->', ['{', '->']],
  ['(?i)select', null],
  ['(?:ab){0,2}(?:cd){2}', ['cd']],
  ['(?!never)[^x]y|', null],
] as const)
  test(`finds the required substrings of ${pattern}`, () =>
    assert.deepEqual(findRequiredTexts(pattern), required))

test('invalid precompiled patterns are translated again and untranslatable ones match nothing', async () => {
  const broken = new Map([...table].map(([written, made]) => [written, { ...made, source: '(' }]))
  const [language, code] = BLOCKS[0]
  const block = { language, code, highlight: [], focus: [], lines: false }
  const { html } = await createCodeHighlighter(() => broken).highlight(block, themes)
  assert.equal(html, (await createCodeHighlighter().highlight(block, themes)).html)
  assert.equal(createExpression(translatePattern('(?<x>')).exec('x'), null)
})
