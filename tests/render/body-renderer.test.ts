import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { openBodyRenderer } from '../../src/render/bodies/body-renderer.ts'
import type { BodyRequest } from '../../src/render/page/body.ts'
import { requestOf } from '../kit/body-request.ts'
import { type BodyText, bodyText } from '../kit/markup-text.ts'
import { patience, until } from '../kit/until.ts'

const renderer = openBodyRenderer({ children: 2 })
after(() => renderer[Symbol.asyncDispose]())

async function render(source: string, more: Partial<BodyRequest> = {}): Promise<BodyText> {
  return bodyText((await renderer.render(requestOf(source, more), patience())).body)
}

const codes = (body: BodyText) => body.problems.map(({ code, line }) => `${code}:${line}`)
const words = (body: BodyText) =>
  body.html
    .replace(/<[^>]*>/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')
    .trim()

test('renders a page to HTML with resolved links, table of contents and sections', async () => {
  const body = await render(
    '---\ntitle: x\n---\n# One\n\n## Two **b** {#my-id}\n\nSee [x](./y.md#z) and ![i](../i.png).\n\n### Deep\n\nend\n',
    { bodyLine: 4 },
  )
  assert.match(body.html, /<h2 id="my-id"/)
  assert.match(body.html, /href="\/guides\/y\.md#z"/)
  assert.match(body.html, /src="\/i\.png"/)
  assert.deepEqual(body.toc, [
    { level: 2, id: 'my-id', text: 'Two b' },
    { level: 3, id: 'deep', text: 'Deep' },
  ])
  assert.deepEqual(
    body.sections.map((section) => [section.id, section.text]),
    [
      ['one', ''],
      ['my-id', 'See x and .'],
      ['deep', 'end'],
    ],
  )
  assert.deepEqual(body.problems, [])
})

test('a page that is nested too deeply is reported and shown as text', async () => {
  const { html, problems } = await render(
    Array.from({ length: 1000 }, (_, depth) => `${'  '.repeat(depth)}- deep`).join('\n'),
  )
  assert.match(html, /deep/)
  assert.match(problems[0]?.message ?? '', /cannot be rendered \(it is too long or nested too deeply\)/)
})

test('starts another process when there are more pages than one can take, up to the limit', async () => {
  const processes = () => process.getActiveResourcesInfo().filter((one) => one === 'ProcessWrap').length
  const before = processes()
  await using own = openBodyRenderer({ children: 2 })
  const renderSome = (pages: number) =>
    Promise.all(Array.from({ length: pages }, () => own.render(requestOf('Words.\n'), patience())))
  await renderSome(3)
  assert.equal(processes() - before, 1)
  await renderSome(12)
  assert.equal(processes() - before, 2)
})

test('code is highlighted in two themes, line by line', async () => {
  const body = await render('```ts Title {2}\nconst a = 1 // [!code ++]\nb()\n```\n\n```nolang\n<x>\n```\n')
  assert.match(
    body.html,
    /<span class="line line-diff line-add">.*<span style="--l:#[0-9a-f]+;--d:#[0-9a-f]+">/,
  )
  assert.match(body.html, /<span class="line line-highlight">/)
  assert.match(body.html, /<span class="line">&lt;x&gt;<\/span>/)
  assert.ok(!body.html.includes('[!code') && !body.html.includes('o-code'))
})

test('snippets support props, exports and nested snippets, and import cycles end', async () => {
  const body = await render(
    'import Greeting, { year } from "/snippets/greeting.mdx"\n\n<Greeting word="you" />\n\nSince {year}.\n\n<Snippet file="old.mdx" />\n',
    {
      modules: [
        {
          path: 'snippets/greeting.mdx',
          source:
            '---\ntitle: s\n---\nimport Inner from "./inner.mdx"\nexport const year = 1999\n\nHello {word}!\n\n```js\nsay("{word}")\n```\n\n[r](./rel)\n\n<Inner />\n',
        },
        {
          path: 'snippets/inner.mdx',
          source: 'import G from "./greeting.mdx"\n\nInner {missing}\n\n<G />\n',
        },
        { path: 'snippets/old.mdx', source: 'Old one.\n' },
      ],
    },
  )
  const text = words(body)
  for (const part of ['Hello you!', '"you"', 'Inner {missing}', 'Since 1999.', 'Old one.']) {
    assert.ok(text.includes(part), `${part} in ${text}`)
  }
  assert.match(body.html, /href="\/snippets\/rel"/)
  assert.deepEqual(
    body.problems.map((problem) => [problem.code, problem.file, problem.line]),
    [['mdx.expression', 'snippets/inner.mdx', 3]],
  )
})

test('author components run with hooks, props, children and built-in components', async () => {
  const body = await render(
    'import { Box } from "/snippets/box.jsx"\n\nexport const Twice = ({ n }) => <b>{n * 2}</b>\n\n<Twice n={21} />\n\n<Box label="L">in **side**</Box>\n\n{[1, 2].map((i) => <i key={i}>n{i}</i>)}\n',
    {
      modules: [
        {
          path: 'snippets/box.jsx',
          source:
            'import { useState } from "react"\nimport { pad } from "./pad.ts"\nexport const Box = ({ label, children }) => { const [v] = useState(() => pad(label)); return <section>{v}<Note>{children}</Note></section> }\n',
        },
        { path: 'snippets/pad.ts', source: 'export const pad = (text: string): string => `<${text}>`\n' },
      ],
    },
  )
  assert.match(body.html, /<b>42<\/b>/)
  assert.match(body.html, /<section>&lt;L>/)
  assert.match(body.html, /<strong>side<\/strong>/)
  assert.match(body.html, /<i>n1<\/i><i>n2<\/i>/)
  assert.deepEqual(body.problems, [])
})

test('tabs created by an expression render as tabs', async () => {
  const body = await render(
    'export const all = [{ n: "npm" }, { n: "pnpm" }]\n\n<Tabs>\n  {all.map(({ n }) => <Tab key={n} title={n}>Use {n}.</Tab>)}\n</Tabs>\n',
  )
  assert.equal(body.html.match(/role="tabpanel"/g)?.length, 2)
  assert.deepEqual(body.problems, [])
})

test('an undefined name, a failing expression and a failing component affect only themselves', async () => {
  const body = await render(
    [
      'Before {jobId} and {a.b.c()} after.',
      '',
      'export const Bad = ({ children }) => { throw new Error("no") }',
      '',
      '<Bad>kept text</Bad>',
      '',
      '<Card title={nope.x} cols={(() => { throw 1 })()}>card text</Card>',
      '',
      '<Alert title="Old">alert text</Alert>',
      '',
      '<Tabs><Tab title="T1">one <Bad>in tab</Bad></Tab><Tab title="T2">two</Tab></Tabs>',
      '',
      'End.',
    ].join('\n'),
  )
  const text = words(body)
  for (const part of [
    'Before {jobId} and {a.b.c()} after.',
    'kept text',
    'card text',
    'Old',
    'alert text',
    'in tab',
    'two',
    'End.',
  ]) {
    assert.ok(text.includes(part), `${part} in ${text}`)
  }
  assert.deepEqual(codes(body).sort(), [
    'mdx.component_failed:11',
    'mdx.component_failed:5',
    'mdx.expression:1',
    'mdx.expression:1',
    'mdx.expression:7',
    'mdx.expression:7',
    'mdx.unknown_component:9',
  ])
})

test('invalid MDX is repaired without losing text', async () => {
  const cases: [string, string[]][] = [
    ['a <!-- hidden --> b', ['a', 'b']],
    ['line<br>next <img src="x.png"> end', ['line', 'next', 'end']],
    ['if a <5 and {x y} then', ['if a <5 and {x y} then']],
    ['one { two', ['one { two']],
    ['<Card title="T">\n\ninside', ['inside', 'T']],
    ['text </Card> more', ['text', 'more']],
    ['<div>\n<p>\npara\n</div>\n\nafter', ['para', 'after']],
    ['- <Note>\n  in list\n\n</Note>\n\ntail', ['in list', 'tail']],
    ['see <https://a.b/c> now', ['see', 'https://a.b/c', 'now']],
    ['export const a = ;\n\nstill here', ['still here']],
    ['<a href=x>link</a> and <font color=red>red</font>', ['link', 'red']],
  ]
  for (const [source, parts] of cases) {
    const body = await render(`first\n\n${source}\n\nlast {1 + 1}\n`)
    const text = words(body)
    for (const part of ['first', ...parts, 'last']) assert.ok(text.includes(part), `${part} in ${text}`)
    const [problem] = body.problems
    assert.equal(problem?.code, 'mdx.syntax', source)
    assert.ok(problem.line !== null && problem.line >= 3, `${source}: line ${problem.line}`)
  }
})

test('plain Markdown files do not have to be valid MDX', async () => {
  const body = await render('# T\n\na <!-- c --> {b} <br> <kbd>K</kbd>\n', { file: 'a.md' })
  assert.match(body.html, /a\s+\{b\} <br\/?> <kbd>K<\/kbd>/)
  assert.deepEqual(body.problems, [])
})

test('renders alerts, variables, formulas and HTML attributes', async () => {
  const body = await render(
    '> [!WARNING]\n> careful\n\nv{{version}} {{nope}} `{{version}}`\n\n$$\nx^2\n$$\n\n$$\n\\frac{\n$$\n\n<div class="a" style="color: red">x</div>\n\ncosts $5 or $6\n',
    { variables: { version: '<1>' } },
  )
  assert.match(words(body), /careful/)
  assert.ok(!body.html.includes('[!WARNING]') && !body.html.includes('<blockquote'))
  assert.match(body.html, /v&lt;1> \{\{nope\}\} <code>&lt;1><\/code>/)
  assert.match(body.html, /class="katex-display"/)
  assert.match(body.html, /<code class="math-error">\\frac\{<\/code>/)
  assert.match(body.html, /<div class="a" style="color: red">x<\/div>/)
  assert.match(words(body), /costs \$5 or \$6/)
  assert.ok(body.usesMath)
  assert.deepEqual(codes(body), ['variable.undefined:4', 'math.syntax:10'])
})

test('a tag with an internal octavo: name is shown as text', async () => {
  const body = await render('before\n\n<octavo:panel samples="x">inside</octavo:panel>\n\nafter\n')
  for (const part of ['before', '<octavo:panel samples="x">inside</octavo:panel>', 'after'])
    assert.ok(words(body).includes(part), part)
})

test('a stateful component is marked as an island, with its elements in slots', async () => {
  const body = await render(
    'export const Toggle = ({ children }) => { const [isOn, set] = useState(false); return <button onClick={() => set(!isOn)}>{isOn && children}</button> }\nexport const Box = ({ children }) => <b>{children}</b>\n\n<Toggle label={[1, { a: "</script>" }]}>in **bold**</Toggle>\n\n<Box>still</Box>\n',
  )
  assert.deepEqual(body.islands?.uses, [{ module: 'page:guides/page.mdx', name: 'Toggle', given: [] }])
  assert.equal(body.html.match(/<o-island/g)?.length, 1)
  assert.match(body.html, /<button><\/button><o-slot data-i="0" data-rest><strong>bold<\/strong><\/o-slot>/)
  assert.match(body.html, /<b>still<\/b>/)
  assert.ok(!body.html.includes('</script>'))
  assert.deepEqual(body.problems, [])
})

test('a missing package fails only the components that use it', async () => {
  const body = await render('import { A, B } from "/snippets/x.jsx"\n\n<A />\n\n<B />\n', {
    modules: [
      {
        path: 'snippets/x.jsx',
        source:
          'import { useAccount } from "wagmi"\nexport const A = () => <i>{useAccount()}</i>\nexport const B = () => <b>fine</b>\n',
      },
    ],
  })
  assert.match(body.html, /<b>fine<\/b>/)
  assert.deepEqual(
    body.problems.map(({ code, line, message }) => `${code}:${line} ${message}`),
    ['mdx.component_failed:3 The component <A> failed: there is no wagmi.'],
  )
})

test('content of the right column is returned separately from the body', async () => {
  const body = await render(
    'main\n\n<Panel>beside</Panel>\n\n<RequestExample>\n\n```bash A\nx\n```\n\n</RequestExample>\n',
  )
  assert.ok(!body.html.includes('beside') && body.html.includes('main'))
  assert.match(body.side ?? '', /beside[\s\S]*x/)
})

test('a page renders to the same bytes, whatever Date and Math.random return', async () => {
  const source = '{Date.now()} {new Date().getFullYear()} {Math.random()} {typeof new Date(0).getTime()}\n'
  const [first, second] = await Promise.all([render(source), render(source)])
  assert.equal(first?.html, second?.html)
  assert.match(first?.html ?? '', /2026/)
  assert.deepEqual(first?.problems, [])
})

const HOSTILE: Record<string, string> = {
  'an endless loop': '{(() => { while (true) {} })()}',
  'an endless loop in a microtask': '{(Promise.resolve().then(() => { while (true) {} }), "now")}',
  'a large array': '{new Array(1e9).fill(0)}',
  'a growing array': '{(() => { const a = []; for (;;) a.push(new Array(1000).fill(1.5)) })()}',
  'a growing map': '{(() => { const m = new Map(); for (let i = 0; ; i++) m.set(i, { i }) })()}',
  'a huge string': '{"x".repeat(5e8)}',
  'deep recursion': '{(function f() { return f() + 1 })()}',
  'the environment': '{process.env}',
  'a module of the system': "{require('fs')}",
  'the way out by constructors': "{globalThis.constructor.constructor('return process')()}",
  'a dynamic import': "{import('fs')}",
  'a getter that loops': '{{ get x() { while (true) {} } }.x}',
  'a regular expression that backtracks': '{/^(a+)+$/.test("a".repeat(40) + "b")}',
}

for (const [name, expression] of Object.entries(HOSTILE)) {
  test(`${name} in an expression affects only that expression`, async () => {
    const bodies = await Promise.all([
      render(`one\n\nhere ${expression} there\n\n## Two\n\n{1 + 1} fine\n`),
      ...Array.from({ length: 6 }, (_, index) => render(`# Neighbour ${index}\n\ntext\n`)),
    ])
    const [body, ...others] = bodies
    assert.ok(body)
    const text = words(body)
    for (const part of ['one', 'here', 'there', 'Two', '2 fine'])
      assert.ok(text.includes(part), `${part} in ${text}`)
    if (!name.includes('microtask')) {
      const [problem] = body.problems
      assert.equal(problem?.line, 3)
      assert.match(problem?.code ?? '', /^mdx\.(?:expression|endless)$/)
      assert.ok(problem?.remedy)
    }
    for (const [index, other] of others.entries()) {
      assert.match(other.html, new RegExp(`Neighbour ${index}`))
      assert.deepEqual(other.problems, [])
    }
  })
}

test('a component that never returns is left out and its content stays', async () => {
  const body = await render(
    'export const Loop = () => { for (;;) {} }\n\nbefore\n\n<Loop>content</Loop>\n\n<Card title="C">card</Card>\n\nafter {2 * 3}\n',
  )
  const text = words(body)
  for (const part of ['before', 'content', 'card', 'after 6'])
    assert.ok(text.includes(part), `${part} in ${text}`)
  assert.deepEqual(codes(body), ['mdx.endless:5'])
})

test('a module that never finishes loading is left out', async () => {
  const body = await render('import { X } from "/snippets/x.jsx"\n\ntext\n\n<X>inside</X>\n', {
    modules: [{ path: 'snippets/x.jsx', source: 'while (true) {}\nexport const X = () => <b>never</b>\n' }],
  })
  assert.match(words(body), /text inside/)
  assert.deepEqual(codes(body).slice(-1), ['mdx.endless:1'])
})

test('changes to globals by one page do not reach the next page', async () => {
  const tamper =
    '{(() => { Array.prototype.map = () => ["owned"]; JSON.stringify = () => "owned"; String.prototype.replace = () => "owned"; Object.prototype.evil = 1; globalThis.x = 1 })()}'
  for (let round = 0; round < 3; round++) {
    const [, next, code] = await Promise.all([
      render(`a\n\n${tamper}\n\n# H\n`),
      render('# Clean\n\n- one\n- two\n'),
      render('{[1, 2].map((n) => n + 1).join("-")} {typeof globalThis.x} {"aa".replace("a", "b")}\n'),
    ])
    assert.match(next?.html ?? '', /<h1 id="clean">Clean<\/h1>\n<ul>/)
    assert.match(code?.html ?? '', /2-3\s+undefined\s+ba/)
  }
})

test('a page cannot forge the placeholders of another page', async () => {
  const stolen = await render('```js\nsecret()\n```\n\n<o-code data-t="x" data-i="0"></o-code>\n')
  assert.equal(stolen.html.match(/secret/g)?.length, 1)
})

test('renders very large and very deeply nested pages', async () => {
  const large = await render(`${'word '.repeat(140_000)}\n\n## End\n`)
  assert.equal(large.toc.length, 1)
  const deep = await render(`${'>'.repeat(3000)} deep\n\nafter\n`)
  assert.match(words(deep), /deep/)
  assert.match(words(deep), /after/)
  const tags = await render(`${'<div>'.repeat(3000)}core${'</div>'.repeat(3000)}\n`)
  assert.match(words(tags), /core/)
})

test('a render child in an endless loop does not outlive a killed server', async () => {
  const module = new URL('../../src/render/bodies/child-process.ts', import.meta.url).href
  const server = spawn(process.execPath, [
    '--input-type=module-typescript',
    '--eval',
    `import { startRenderChild } from ${JSON.stringify(module)}
     const child = startRenderChild((message) => message.kind === 'stage' && message.stage === 'render' && console.log(child.pid))
     child.send({ kind: 'prelude', source: 'globalThis.octavoRender = () => { new Array(1e9).fill(0) }' })
     const request = Buffer.from(${JSON.stringify(JSON.stringify(requestOf('{f()}')))})
     child.send({ kind: 'render', id: 1, scripts: {}, disabled: [] }, request)`,
  ])
  const [output] = await once(server.stdout, 'data')
  const pid = Number(String(output))
  assert.ok(pid > 0 && isAlive(pid))
  server.kill('SIGKILL')
  await until(() => !isAlive(pid))
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('an aborted render rejects with the reason', async () => {
  const reason = new Error('enough')
  await assert.rejects(renderer.render(requestOf('x'), AbortSignal.abort(reason)), reason)
})
