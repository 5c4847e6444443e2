import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTextTree, getAttribute, rawText, type TextElement } from '../html/html-tree.ts'
import { parseHtml } from '../html/parse-html.ts'
import { createCodeHighlighter as createHighlighter } from './highlight.ts'

const themes = { light: 'github-light-default', dark: 'dark-plus' }
const block = (language: string, code: string) => ({ language, code, highlight: [], focus: [], lines: false })
const createCodeHighlighter = () => {
  const highlighter = createHighlighter()
  return {
    highlight: async (...input: Parameters<typeof highlighter.highlight>) =>
      (await highlighter.highlight(...input)).html,
  }
}
const textOf = (html: string) =>
  html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

test('tokens have the colours of both themes and the text is unchanged', async () => {
  const highlighter = createCodeHighlighter()
  for (const [language, code] of [
    ['typescript', 'const größe: Map<string, number> = f("日本語 – 漢字", `a${b}`) // ✓ done'],
    ['bash', 'cat <<EOF | tee "ÄÖ"\nhello $USER\nEOF\necho done'],
    ['markdown', '# T\n\n```js\nconst a = 1\n```\n\n- **b** `c` 🎉'],
    ['yaml', 'a: &x\n  - "ü": |\n      text\n'],
  ] as const) {
    const html = await highlighter.highlight(block(language, code), themes)
    assert.equal(textOf(html), code, language)
    assert.match(html, /--l:#[0-9a-f]{6};--d:#[0-9a-f]{6}/, language)
  }
})

test('options and multi-line strings of a shell command have different colours', async () => {
  const code = 'curl --request POST \\\n  --data \'{\n  "a": 1\n}\''
  const html = await createCodeHighlighter().highlight(block('bash', code), themes)
  const option = /style="([^"]+)">--request/.exec(html)?.[1]
  const text = /style="([^"]+)">'\{/.exec(html)?.[1]
  assert.ok(option && text && option !== text)
  assert.match(html, new RegExp(`style="${text}">\\}'`))
})

test('strengthens a theme colour with too little contrast on the page background', async () => {
  const html = await createCodeHighlighter().highlight(block('python', '# words'), themes)
  assert.match(html, /--l:oklch\(5[0-9.]+% /)
  assert.doesNotMatch(html, /#6e7781/)
})

test('colours of a block do not depend on previously highlighted blocks', async () => {
  const code = 'x\n\n```python\ndef f(): return "a"\n```\n'
  const fresh = await createCodeHighlighter().highlight(block('md', code), themes)
  const used = createCodeHighlighter()
  await used.highlight(block('python', 'def g(): pass'), themes)
  assert.equal(await used.highlight(block('md', code), themes), fresh)
})

test('repeated lines are highlighted as by a new highlighter, wherever they appear', async () => {
  const lines = [
    'x = f("a", 1)',
    '"""',
    '# no comment in a text',
    'def g(a: int) -> str:',
    '    return a',
    'call(',
    ')',
    "y = {'k': [1,",
    '2]}',
  ]
  const used = createCodeHighlighter()
  let seed = 7
  for (let round = 0; round < 60; round++) {
    const code = Array.from({ length: 12 }, () => {
      seed = (seed * 48271) % 2147483647
      return lines[seed % lines.length]
    }).join('\n')
    const alone = await createCodeHighlighter().highlight(block('python', code), themes)
    assert.equal(await used.highlight(block('python', code), themes), alone, code)
  }
})

test('does not highlight unknown languages, long lines and large blocks', async () => {
  const highlighter = createCodeHighlighter()
  for (const one of [
    block('no-such-language', 'const a = 1'),
    block('../../../etc/passwd', 'const a = 1'),
    block('js', `const a = "${'x'.repeat(1000)}"`),
    block('js', 'const a = 1\n'.repeat(8000)),
  ]) {
    assert.ok(!(await highlighter.highlight(one, themes)).includes('--l:'), one.language)
  }
})

test('falls back to the default theme for unknown names and resolves language aliases', async () => {
  const highlighter = createCodeHighlighter()
  const usual = await highlighter.highlight(block('javascript', 'const a = 1'), themes)
  const other = await highlighter.highlight(block('javascript', 'const a = 1'), {
    light: 'nope',
    dark: '../x',
  })
  assert.equal(other, usual)
  assert.match(await highlighter.highlight(block('Golang', 'func f() {}'), themes), /--l:/)
})

test('keeps all text of a line when highlighting exceeds its time limit', async (t) => {
  let calls = 0
  // Freeze the clock until the middle of a line, then jump ahead.
  t.mock.method(Date, 'now', () => (calls++ < 4 ? 0 : calls * 3_600_000))
  const highlighter = createCodeHighlighter()
  const code = 'npm install -g @scope/tool && <img height="200" src="/path/image.jpg" />'
  for (const language of ['bash', 'html', 'ts', 'md']) {
    calls = 0
    assert.equal(textOf(await highlighter.highlight(block(language, code), themes)), code, language)
  }
})

test('text and classes returned for a block match its HTML', async () => {
  const highlighter = createHighlighter()
  const marked = 'const a = "&lt; & <b>" // [!code ++]\n// [!code highlight:2]\nlet b\n\n  f(`x`)\nlast()'
  for (const code of [marked, '// [!code --]', '', 'x'.repeat(2500)]) {
    const one = { ...block('ts', code), highlight: [1], focus: [2] }
    const { html, text, classes } = await highlighter.highlight(one, themes)
    const tree = createTextTree(parseHtml(html))
    assert.equal(text, rawText(tree), code)
    assert.deepEqual(new Set(classes), new Set(classesIn(tree)))
  }
})

function classesIn(element: TextElement): string[] {
  const own = getAttribute(element, 'class')
  const inner = element.children.flatMap((child) => (typeof child === 'string' ? [] : classesIn(child)))
  return own === null ? inner : [own, ...inner]
}
