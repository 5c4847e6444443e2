import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ToolRefusal } from '../../src/features/agent/loop/tool.ts'
import { TOOLS } from '../../src/features/agent/loop/toolbox.ts'
import { openTools, SITE } from './tool-scene.ts'

test('tool names, descriptions and schemas use only features that every model supports', () => {
  const names = TOOLS.map(({ name }) => name)
  assert.equal(new Set(names).size, names.length)
  for (const { name, description, inputSchema } of TOOLS) {
    assert.match(name, /^[a-z_]{1,64}$/)
    assert.ok(description.length > 20 && description.length < 1000)
    assert.deepEqual([inputSchema.type, inputSchema.additionalProperties], ['object', false])
    assert.deepEqual(JSON.parse(JSON.stringify(inputSchema)), inputSchema)
    assert.ok(!/"(?:anyOf|oneOf|allOf|\$ref|const)"/.test(JSON.stringify(inputSchema)))
  }
})

test('any tool input returns a bounded result and never reads or changes tool files', async () => {
  const value = fc.oneof(
    fc.constantFrom(
      'index.mdx',
      '.env',
      '../x',
      '.github/workflows/ci.yml',
      'docs.json',
      'new.mdx',
      'all',
      '',
    ),
    fc.jsonValue(),
    fc.string({ unit: 'binary' }),
  )
  const keys = [...new Set(TOOLS.flatMap(({ inputSchema }) => Object.keys(inputSchema.properties as object)))]
  const input = fc.oneof(
    fc.dictionary(fc.constantFrom(...keys), value, { maxKeys: 5 }),
    fc.jsonValue(),
    fc.constantFrom(undefined, null, 'x', '{"path": "index.mdx"', []),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...TOOLS.map(({ name }) => name), 'rm', ''),
      input,
      async (name, given) => {
        const { call, workspace } = openTools()
        const result = await call(name, given)
        assert.equal(result.callId, 'call_0')
        assert.ok(Buffer.byteLength(result.text) <= 16 << 10)
        assert.ok(!result.text.includes('SECRET'))
        for (const path of workspace.changes.keys()) assert.ok(!/^\.|\/\.|\.\./.test(path), path)
      },
    ),
    { numRuns: 600 },
  )
})

test('an unknown tool and invalid input return an error that names the valid choices', async () => {
  const { refused } = openTools()
  assert.match(await refused('run_shell', { command: 'ls' }), /no tool "run_shell"[\s\S]*list_files/)
  assert.match(await refused('read_file', 'index.mdx'), /must be a JSON object with the fields path/)
  assert.match(
    await refused('read_file', { file: 'index.mdx', line: '2' }),
    /must have path[\s\S]*file[\s\S]*line must be integer/,
  )
  assert.match(await refused('plan', { items: [{ text: 'x', state: 'doing' }] }), /open, at_work, done/)
})

test('a null field counts as omitted', async () => {
  const { use } = openTools()
  assert.match(await use('read_file', { path: 'index.mdx', line: null, lines: null }), /title: Welcome/)
})

test('converts numbers and lists given as strings and says so in the result', async () => {
  const { use } = openTools()
  const page = await use('read_file', { path: 'index.mdx', line: '1', lines: '2' })
  assert.match(page, /title: Welcome[\s\S]*were converted to numbers and lists/)
  const items = JSON.stringify([{ text: 'Read', state: 'done' }])
  assert.match(await use('plan', { items }), /were converted to numbers and lists/)
})

test('rejects changes over a cap, while aborts and internal errors are thrown', async () => {
  const { call, refused, context } = openTools(SITE, { files: 1, bytes: 100_000 })
  await call('write_file', { path: 'a.mdx', text: 'x' })
  await call('write_file', { path: 'a.mdx', text: 'y' })
  assert.match(await refused('write_file', { path: 'b.mdx', text: 'x' }), /at most 1 files.*Finish with/)
  context.findNewProblems = () => Promise.reject(new Error('the store is away'))
  await assert.rejects(call('check', {}), /the store is away/)
  context.previewPage = () => Promise.reject(new ToolRefusal('It is no page.'))
  assert.deepEqual((await call('preview', { path: 'a.mdx' })).isError, true)
  context.signal = AbortSignal.abort(new Error('cancelled'))
  await assert.rejects(call('list_files', {}), /cancelled/)
  const small = openTools(SITE, { files: 9, bytes: 10 })
  assert.match(
    await small.refused('write_file', { path: 'a.mdx', text: 'x'.repeat(11) }),
    /at most 10 bytes.*Finish with/,
  )
})

test('check and preview return their findings, truncated or in pages', async () => {
  const { use, refused, context, workspace } = openTools()
  assert.match(await use('check', {}), /Nothing is changed/)
  await workspace.write('index.mdx', 'x')
  assert.match(await use('check', {}), /no problems/)
  const problem = {
    file: 'index.mdx',
    line: 3,
    code: 'link.missing',
    level: 'warning' as const,
    message: 'The link leads nowhere.',
    remedy: 'Correct it.',
  }
  context.findNewProblems = async () => Array.from({ length: 500 }, () => problem)
  const text = await use('check', {})
  assert.match(
    text,
    /^The change causes 500 problems:\nindex\.mdx:3: warning: The link leads nowhere\. Correct it\.\n/,
  )
  assert.match(text, /\(and \d+ more\)$/)
  assert.equal(await use('preview', { path: 'index.mdx' }), 'text of the page')
  context.previewPage = async () => 'é'.repeat(20_000)
  const first = await use('preview', { path: 'index.mdx' })
  const offset = Number(/offset (\d+)/.exec(first)?.[1])
  assert.equal(
    await use('preview', { path: 'index.mdx', offset: offset }).then((rest) => /^é+/.exec(rest)?.[0].length),
    Math.min(20_000 - offset, offset),
  )
  assert.match(await refused('preview', { path: 'nope.mdx' }), /no file/)
})

test('plan replaces the previous list', async () => {
  const { use, refused, said } = openTools()
  assert.match(
    await use('plan', {
      items: [
        { text: 'Look', state: 'done' },
        { text: 'Write', state: 'open' },
      ],
    }),
    /2 items, 1 of them not done/,
  )
  await use('plan', { items: [{ text: 'Write', state: 'at_work' }] })
  assert.deepEqual(said.plan, [{ text: 'Write', state: 'at_work' }])
  assert.match(
    await refused('plan', { items: Array.from({ length: 51 }, () => ({ text: 'x', state: 'open' })) }),
    /items must/,
  )
})

test('finish requires a reason for each changed file, and a later change undoes it', async () => {
  const { use, refused, said } = openTools()
  const account = { title: ' A\n title ', summary: 'Because.' }
  assert.equal(await use('finish', { ...account, reasons: [] }), 'Finished without changes.')
  assert.deepEqual(said.finish, { title: 'A title', summary: 'Because.', reasons: {} })
  await use('write_file', { path: 'new.mdx', text: 'x' })
  assert.equal(said.finish, null)
  await use('delete_file', { path: 'old.md' })
  assert.match(
    await refused('finish', { ...account, reasons: [{ path: 'new.mdx', reason: ' ' }] }),
    /2 files have none: "new\.mdx", "old\.md"/,
  )
  assert.equal(said.finish, null)
  const reasons = [
    { path: '/new.mdx', reason: 'Asked for.' },
    { path: 'old.md', reason: 'Out of date.' },
    { path: 'other.md', reason: 'Not changed.' },
  ]
  await use('finish', { ...account, reasons })
  assert.deepEqual((said.finish as { reasons?: object } | null)?.reasons, {
    'new.mdx': 'Asked for.',
    'old.md': 'Out of date.',
  })
  assert.match(await refused('finish', { title: 'x'.repeat(101), summary: 's', reasons: [] }), /title must/)
  assert.match(await refused('finish', { title: ' \n ', summary: 's', reasons }), /title is empty/)
})
