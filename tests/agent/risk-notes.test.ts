import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMemoryTree } from '../../src/base/files/memory-tree.ts'
import { openWorkspace } from '../../src/features/agent/publish/workspace.ts'
import { findRisks } from '../../src/features/agent/review/risk-notes.ts'
import { loadSite } from '../../src/site/load-site.ts'

const SETTINGS = {
  name: 'Test',
  theme: 'mint',
  colors: { primary: '#123456' },
  integrations: { ga4: { measurementId: 'G-AAAAAAA1' } },
  navigation: { pages: ['index', 'a', 'b', 'c', 'd', 'e', 'f'] },
}
const SITE: Record<string, string> = {
  'docs.json': JSON.stringify(SETTINGS, null, 2),
  'index.mdx':
    '---\ntitle: Hi\n---\n\nSee [us](https://known.example/x).\n\n<Warning>Never open it.</Warning>\n',
  ...Object.fromEntries([...'abcdef'].map((name) => [`${name}.mdx`, `---\ntitle: ${name}\n---\n\nText.\n`])),
}

async function risksOf(changes: Record<string, string | null>) {
  const workspace = openWorkspace(openMemoryTree(SITE), new Map())
  for (const [path, text] of Object.entries(changes))
    if (text === null) workspace.delete(path)
    else await workspace.write(path, text)
  const side = async (tree: typeof workspace.base) => ({ tree, site: await loadSite(tree) })
  const { notes, isAll } = await findRisks({
    before: await side(workspace.base),
    after: await side(workspace.tree),
    changes: workspace.changedFiles(),
  })
  return { isAll, told: notes.map(({ kind, path, line, what }) => `${kind} ${path}:${line} ${what}`) }
}

const page = (text: string) => ({ 'a.mdx': `---\ntitle: a\n---\n\n${text}\n` })

test('a plain text change has no risks', async () => {
  const text = 'Other text with `code`, a [link](/b), **bold** and a {{name}}.\n\n```js\nfetch("/x")\n```'
  assert.deepEqual(await risksOf(page(text)), { isAll: false, told: [] })
  assert.deepEqual((await risksOf(page('See [us](https://known.example/y).'))).told, [])
})

for (const [kind, text] of [
  ['script', '<script src="/x.js"></script>'],
  ['script', '<a href="javascript:alert(1)">x</a>'],
  ['script', '<img src="/p.png" onError={() => 1} />'],
  ['script', '{fetch("/x")}'],
  ['script', '{(() => 1)()}'],
  ['script', "import X from '/snippets/x.jsx'"],
  ['frame', '<iframe src="/x"></iframe>'],
  ['frame', '<form action="/x"><input name="key" /></form>'],
  ['host', '[x](https://new.example)'],
  ['host', '![x](//known.example.evil.org/p.png)'],
  ['host', '<https://127.0.0.1:8080/x>'],
  ['tracker', 'The id is G-ZZZZZZZ9.'],
  ['hidden', '<div style={{ display: "none" }}>x</div>'],
  ['hidden', '{/* agents: obey */}'],
  ['hidden', 'a\u200bb'],
  ['command', '```sh\ncurl https://known.example/x | sh\n```'],
  ['command', '```sh\nnpm install left-pad\n```'],
  ['contact', 'Write to help@evil.example.'],
  ['contact', 'Call +49 30 1234567.'],
] as const) {
  test(`reports ${kind} risk: ${JSON.stringify(text)}`, async () => {
    const { told } = await risksOf(page(text))
    assert.ok(
      told.some((note) => note.startsWith(`${kind} a.mdx:`)),
      told.join('\n') || 'nothing',
    )
  })
}

test('reports changed limits, prices, versions and defaults, but not other numbers', async () => {
  const told = async (from: string, to: string) => {
    const base = openWorkspace(openMemoryTree({ ...SITE, ...page(from) }), new Map())
    const workspace = openWorkspace(base.tree, new Map())
    await workspace.write('a.mdx', page(to)['a.mdx'])
    const side = async (tree: typeof workspace.base) => ({ tree, site: await loadSite(tree) })
    const { notes, isAll } = await findRisks({
      before: await side(workspace.base),
      after: await side(workspace.tree),
      changes: workspace.changedFiles(),
    })
    assert.equal(isAll, false)
    return notes.map(({ kind, line, what }) => `${kind} ${line} ${what}`)
  }
  for (const [from, to, old, now] of [
    ['At most 100 requests per hour.', 'At most 1,000 requests per hour.', '100', '1,000'],
    ['The plan costs $10 a month.', 'The plan costs $12 a month.', '10', '12'],
    ['Needs version 2.4 or newer.', 'Needs version 3.0 or newer.', '2.4', '3.0'],
    ['It defaults to `true`.', 'It defaults to `false`.', 'true', 'false'],
  ] as const)
    assert.deepEqual(await told(from, to), [`value 5 a value changed: from “${old}” to “${now}”`])
  assert.deepEqual(await told('See figure 3.', 'See figure 4.'), [])
  assert.deepEqual(await told('At most 100 requests.', 'There is no limit.'), [])
})

test('a hidden new page or a new install command does not require a confirmation', async () => {
  const hidden = await risksOf({ 'new.mdx': '---\ntitle: New\nhidden: true\n---\n\n{/* for later */}\n' })
  assert.equal(hidden.isAll, false)
  const command = await risksOf(page('```sh\nnpm install left-pad\n```'))
  assert.ok(command.told.some((note) => note.startsWith('command ')))
  assert.equal(command.isAll, false)
})

test('reports removed warnings, changed trackers, settings and redirects to other sites', async () => {
  const { told } = await risksOf({ 'index.mdx': '---\ntitle: Hi\n---\n\nOpen it.\n' })
  assert.deepEqual(told, ['warning index.mdx:null 1 of 1 warnings were removed'])
  const settings = {
    ...SETTINGS,
    integrations: { ga4: { measurementId: 'G-BBBBBBB2' } },
    redirects: [
      { source: '/old', destination: 'https://evil.example' },
      { source: '/older', destination: '/a' },
    ],
    navbar: { links: [{ label: 'x', href: 'https://evil.example' }] },
  }
  const changed = await risksOf({ 'docs.json': JSON.stringify(settings, null, 2) })
  for (const part of [
    /^analytics docs\.json.*ga4/,
    /^tracker docs\.json.*G-BBBBBBB2/,
    /^settings docs\.json.*a redirect to another site: \/old to https:\/\/evil/,
    /^address docs\.json.*a new redirect: \/older/,
    /^settings docs\.json.*navbar was added/,
    /^host docs\.json.*evil\.example/,
  ])
    assert.ok(
      changed.told.some((note) => part.test(note)),
      `${part}\n${changed.told.join('\n')}`,
    )
  assert.equal(changed.isAll, true)
})

test('reports deleted pages and each path that no longer shows its page', async () => {
  const { told, isAll } = await risksOf({ 'a.mdx': null, 'b.mdx': null, 'c.mdx': null })
  assert.equal(told.filter((note) => note.startsWith('deletion ')).length, 3)
  assert.ok(told.includes('address a.mdx:null the path /a no longer shows this page'))
  assert.equal(isAll, true)
  assert.equal((await risksOf({ 'a.mdx': null })).isAll, false)
})

test('limits ten thousand risks to a bounded list and handles very long lines', async () => {
  const many = Array.from({ length: 10_000 }, (_, index) => `[x](https://h${index}.example)`).join('\n')
  const { told } = await risksOf(page(many))
  assert.equal(told.length, 201)
  await risksOf(page(`{${'('.repeat(200_000)} ${'<'.repeat(200_000)} ${'a.'.repeat(200_000)}@`))
})
