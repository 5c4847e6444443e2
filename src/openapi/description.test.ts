import assert from 'node:assert/strict'
import { test } from 'node:test'
import { descriptionMarkdown, splitDescription } from './description.ts'

test('a leading paragraph becomes the subtitle, with no text lost or duplicated', () => {
  const cases: [string, string | null, string][] = [
    ['Lists `a` things\nof **b**.\n\nMore.', 'Lists `a` things of **b**.', 'More.'],
    ['One line', 'One line', ''],
    ['Words\n- one\n- two', 'Words', '- one\n- two'],
    ['Words\n```\ncode\n\nmore\n```', 'Words', '```\ncode\n\nmore\n```'],
    ['Words\n| a | b |\n|---|---|\n| 1 | 2 |', 'Words', '| a | b |\n|---|---|\n| 1 | 2 |'],
    ['Words\n<ul><li>a</li></ul>', 'Words', '<ul><li>a</li></ul>'],
    ['<!-- to do -->\nReal words.', 'Real words.', ''],
    ['Before.\n\n<!-- a\n\nb -->\n\nAfter.', 'Before.', 'After.'],
    ['a <!-- b --> c', 'a c', ''],
    ['Escaped \\#1 and \\*all\\*\\\nhere', 'Escaped #1 and &#42;all&#42; here', ''],
    ...[
      '# Head\n\nWords.',
      'Head\n===\n\nWords.',
      '- one\n- two\n\nWords.',
      '3. one\n\nWords.',
      '| a | b |\n|---|---|\n| 1 | 2 |\n\nWords.',
      '```bash\ncurl x\n```\n\nWords.',
      '<p>Words.</p><ul><li>a</li></ul>',
      '> **Note** this\n\nWords.',
      '    code\n\nWords.',
      '***\n\nWords.',
      'See [it][1].\n\n[1]: https://a.b',
      '![picture](a.png)',
    ].map((text): [string, null, string] => [text, null, text]),
  ]
  for (const [text, subtitle, rest] of cases)
    assert.deepEqual(splitDescription(text), { subtitle, rest }, text)
  const long = `${'word '.repeat(500)}end`
  assert.equal(splitDescription(long).subtitle, long)
})

test('removes HTML comments except inside code', () => {
  const text = 'a <!-- `b --> c ` d\n\n```\n<!-- e -->\n```\n\n`<!-- f -->` {g} <h>'
  assert.equal(descriptionMarkdown(text), 'a c ` d\n\n```\n<!-- e -->\n```\n\n`<!-- f -->` \\{g\\} &lt;h>')
})

test('keeps complete harmless tags without event handlers and escapes everything else', () => {
  const cases: [string, string][] = [
    ['<img src=x onerror="run()">', '<img src=x>'],
    ["<b\nONMOUSEOVER = run title='1 > 0' onclick>b</b>", "<b title='1 > 0'>b</b>"],
    ['<img/onerror=run()>', '&lt;img/onerror=run()>'],
    ['<img src="x"onerror=run()>', '&lt;img src="x"onerror=run()>'],
    ['<a title=a"b onclick=run()>c</a>', '&lt;a title=a"b onclick=run()>c</a>'],
    ['<a title="<" onclick="run()">c</a>', '<a title="<">c</a>'],
    ['<p onclick="run()', '&lt;p onclick="run()'],
    ['<br/> 1 < 2 <your-key> <script>', '<br/> 1 &lt; 2 &lt;your-key> &lt;script>'],
  ]
  for (const [text, expected] of cases) assert.equal(descriptionMarkdown(text), expected, text)
})
