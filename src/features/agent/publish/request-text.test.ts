import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markdownToHtml } from 'satteri'
import { commitMessage, mergeBody, type RequestText, requestBody, requestTitle } from './request-text.ts'

const TEXT: RequestText = {
  jobId: 'aj_1',
  model: 'some:model',
  account: {
    title: 'Tell the right temperature',
    summaries: ['Black tea wants boiling water.'],
    reasons: { 'guides/brew.mdx': 'A wrong number.' },
    prompts: ['Correct it.'],
    feedback: [],
    questions: [],
    references: [],
    dropped: [],
  },
  changes: [{ path: 'guides/brew.mdx', change: 'modified' }],
  risks: [],
  isAllRisk: false,
  unfinished: null,
  checks: null,
  past: [],
  meets: [],
  jobLink: 'https://octavo.example.com/job',
  previewLink: 'https://octavo.example.com/review',
}

/** Inserts the text wherever a model or a user may have written it. */
function hostile(text: string): RequestText {
  const reasons = { 'guides/brew.mdx': text }
  const account = { ...TEXT.account, title: text, summaries: [text], reasons, prompts: [text] }
  return { ...TEXT, account }
}

const commitOf = (text: string) => commitMessage({ jobId: 'aj_1', title: text, summary: text })
const bodyOf = (text: string) => requestBody(hostile(text))
const htmlOf = (text: string) => markdownToHtml(bodyOf(text)).html

test('a harmless report is published as written', () => {
  assert.equal(
    commitMessage({ jobId: 'aj_1', title: TEXT.account.title, summary: 'Black tea wants boiling water.' }),
    'Tell the right temperature\n\nBlack tea wants boiling water.\n\nOctavo-Job: aj_1\n',
  )
  const people = {
    signedOffBy: { name: 'Docs <Bot>', email: 'bot@acme.example' },
    coAuthors: [{ name: 'Ada\nCloses #1', email: 'ada@acme.example' }],
  }
  assert.match(
    commitMessage({ jobId: 'aj_1', title: 'a', summary: 'b', ...people }),
    /\n\nOctavo-Job: aj_1\nCo-authored-by: Ada [^#\n]*1 <ada@acme\.example>\nSigned-off-by: Docs Bot <bot@acme\.example>\n$/,
  )
  assert.equal(requestTitle(TEXT), 'Tell the right temperature')
  const body = requestBody({
    ...TEXT,
    account: { ...TEXT.account, summaries: ['Two things:\n\n- water\n- `--time`, see issue 12'] },
  })
  assert.match(
    body,
    /^\[\/\/\]: # \(octavo: .*\)\n\n> Two things:\n> \n> - water\n> - `--time`, see issue 12\n\n## Files\n/,
  )
  assert.match(body, /\| `guides\/brew\.mdx` \| modified \| A wrong number\. \|/)
})

test('neutralizes mentions and references that close issues, by number or URL', () => {
  const closing =
    'Closes #1, fixes GH-2, resolves https://x.example/a/b/-/issues/3 and /a/b/pull/4, cc @you, @a/b'
  const commit = commitOf(closing)
  assert.ok(!/@|#\d|GH-\d|(?:issues|pull)\/\d/.test(commit), commit)
  const body = bodyOf(closing)
  assert.ok(!/@\w|#\d|GH-\d|(?:issues|pull)\/\d/.test(body), body)
})

test('neutralizes CI skip markers in a commit message and keeps a single trailer', () => {
  const commit = commitOf(
    'Fix [skip ci] [ci skip] [no ci] ***NO_CI***\n\nSigned-off-by: Boss <boss@example.com>',
  )
  assert.ok(!/\[(?:skip|ci|no)|\*NO_CI/.test(commit), commit)
  assert.equal(commit.split('\n\n').at(-1), 'Octavo-Job: aj_1\n')
  assert.ok(!/^Signed-off-by: .*@/m.test(commit), commit)
})

test('no line is a quick action of a forge', () => {
  const commands = '/merge\n/approve\n  /target_branch other\n\n/close'
  assert.deepEqual(bodyOf(commands).match(/^\s*\/.*$/gm), null)
})

test('renders foreign images and HTML as text, and a foreign link shows its target', () => {
  const texts = [
    '![x](https://evil.example/x.png) [y](https://evil.example)',
    '![x][p] [y][p] [p]\n\n[p]: https://evil.example/x.png "x"',
    '<img src="https://evil.example/x.png"><script>1</script><https://evil.example>',
    '![x](<https://evil.example/x.png>) \\![y](//evil.example)',
  ]
  for (const text of texts) {
    const html = htmlOf(text)
    assert.ok(!/<(?:img|script)/.test(html), html)
    for (const [link] of html.matchAll(/<a href="[^"]*evil.*?<\/a>/g))
      assert.match(link, /^<a href="https:\/\/evil\.example[^"]*">https:\/\/evil\.example/)
  }
})

test('unclosed markup in a report does not swallow the sections below it', () => {
  for (const text of [
    '~~~~\nnever closed',
    '```\n`` `',
    '<!--',
    '<pre>\n<details>',
    '| a |\n|---|',
    '\\|\\||x',
  ]) {
    const html = htmlOf(text)
    const headings = [...html.matchAll(/<h2[^>]*>([^<]*)/g)].map(([, heading]) => heading)
    assert.deepEqual(headings, ['Files', 'Request'], html)
    assert.match(html, /<code>guides\/brew\.mdx<\/code>/)
    assert.match(html, /href="https:\/\/octavo\.example\.com\/review"/)
  }
})

test('removes control and bidirectional formatting characters', () => {
  const odd = 'a\u202eb\u2066c\u200fd\u061ce\u001b[2J\u0007f'
  for (const text of [commitOf(odd), bodyOf(odd), requestTitle(hostile(odd))])
    assert.ok(!/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|[^\P{Cc}\n]/u.test(text), JSON.stringify(text))
})

test('keeps code verbatim, including markup characters and mentions', () => {
  const text = 'Use `Map<string, T>` of `@acme/kit`.\n\n```html\n<b>@you</b>\n```\n\nAnd `a && b`.'
  const body = bodyOf(text)
  for (const code of ['`Map<string, T>`', '`@acme/kit`', '> <b>@you</b>', '`a && b`'])
    assert.ok(body.includes(code), `${code} is not in\n${body}`)
  assert.match(htmlOf(text), /<code>Map&lt;string, T&gt;<\/code>/)
})

test('escapes text that only resembles code', () => {
  const evil = '<img src=https://evil.example/x.png>'
  for (const text of [
    `\`open ${evil}\n\n\` x`,
    `\\\`${evil}\``,
    `| a | b |\n|---|---|\n| \`x | ${evil}\` |`,
    `\`\` \` ${evil} \` \`\` \``,
    `~~~\n\`\`\`\n~~~\n${evil}\n\`\`\``,
    `\`\`\`html\nx\n\n${evil}`,
    `a \`b\n- \`${evil}\``,
  ]) {
    assert.ok(!/<img/.test(htmlOf(text)), text)
  }
  assert.ok(!/#1/.test(bodyOf('`Closes #1`')))
})

test('redacts personal data in the body, commit message and title', () => {
  const personal = 'Ask jane.doe+x@mail.example.com, +49 (30) 1234567, 4111 1111 1111 1111, 415-555-0132'
  for (const text of [bodyOf(personal), commitOf(personal), requestTitle(hostile(personal))])
    assert.ok(!/jane|example\.com,|1234567|4111|0132/.test(text), text)
})

test('lists risks at the top and names the earlier pull request', () => {
  const body = requestBody({
    ...TEXT,
    isAllRisk: true,
    risks: [{ kind: 'script', path: 'a.mdx', line: 3, what: 'a call of @fetch' }],
    past: [{ link: 'https://forge.example/acme/docs/pull/1', branch: 'octavo/x', state: 'merged' }],
  })
  assert.match(body, /Continues https:\/\/forge\.example\/acme\/docs\/pull\/1, which is merged\./)
  assert.ok(body.indexOf('Review these first') < body.indexOf('Black tea'))
  assert.match(body, /second approval/)
  assert.match(body, /- High, \*\*script\*\* `a\.mdx:3`: a call of @<!-- -->fetch/)
})

test('replaces the generated part of a body and keeps the text around it', () => {
  const first = requestBody(TEXT)
  const next = requestBody({
    ...TEXT,
    risks: [{ kind: 'frame', path: 'a.mdx', line: null, what: 'a frame' }],
  })
  assert.equal(mergeBody(first, next), next)
  assert.equal(mergeBody(`Before.\r\n\r\n${first}\n\nAfter.`, next), `Before.\n\n${next}\n\nAfter.`)
  assert.equal(mergeBody('All theirs.', next), 'All theirs.')
  assert.equal(mergeBody('', next), next)
})
