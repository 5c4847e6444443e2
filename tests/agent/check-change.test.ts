/** Tests the check of agent changes on complete sites. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMemoryTree } from '../../src/base/files/memory-tree.ts'
import { silentLog } from '../../src/base/log.ts'
import { createChangeChecker, openCheckBodies } from '../../src/features/agent/check/check-change.ts'
import { ToolRefusal } from '../../src/features/agent/loop/tool.ts'
import { openWorkspace } from '../../src/features/agent/publish/workspace.ts'
import { createMemoryCache } from '../../src/render/cache/memory-cache.ts'
import { openObjectStore } from '../kit/open-store.ts'

const signal = new AbortController().signal
const SETTINGS = { name: 'Test', theme: 'mint', colors: { primary: '#123456' } }
const settings = (pages: unknown[], more: object = {}) =>
  JSON.stringify({ ...SETTINGS, navigation: { pages }, ...more }, null, 2)

const HEAD = '---\ntitle: B\ndescription: About b\n---\n'

const SITE: Record<string, string> = {
  'docs.json': settings(['index', 'a', 'b', 'gone-before']),
  'index.mdx': '# Hi\n\nSee [a](/a), [old](/nowhere).\n',
  'a.mdx':
    "---\ntitle: A\n---\nimport Part from '/snippets/part.mdx'\n\n<Part />\n\nText of a {broken.before.thing}\n",
  'b.mdx': `${HEAD}First\n\n## More\n\nSee [a](./a).\n`,
  'snippets/part.mdx': 'Part of pages\n',
  'p.png': 'no picture',
}

async function open(
  files: Record<string, string> = SITE,
  begun: Record<string, string | null> = {},
  names: string[] = [],
) {
  const objects = await openObjectStore({ kind: 'memory' })
  const workspace = openWorkspace(openMemoryTree(files), new Map())
  const deps = { cache: createMemoryCache(), renderChildren: 1, log: silentLog }
  const checker = createChangeChecker(
    { ...deps, objects, bodies: openCheckBodies(deps) },
    {
      workspace,
      begun: new Map(Object.entries(begun)),
      siteId: 'site_1',
      origin: 'https://docs.example.com',
      names,
    },
  )
  const found = async () =>
    (await checker.findNewProblems(signal)).map(({ file, line, code }) => `${file}:${line} ${code}`)
  return { objects, workspace, checker, found }
}

test('checks and reads nothing without a change', async () => {
  const { checker, workspace } = await open()
  workspace.base.read = () => Promise.reject(new Error('read'))
  assert.deepEqual(await checker.checkChange(signal), {
    problems: [],
    before: null,
    after: null,
    risks: null,
    diff: null,
    prose: null,
    addresses: [],
  })
})

test('ignores problems that existed before the change, even if their line moved', async () => {
  const { workspace, found } = await open()
  await workspace.write('index.mdx', `\n\nNew first line.\n\n${SITE['index.mdx']}`)
  await workspace.write('a.mdx', `${SITE['a.mdx']}\nMore.\n`)
  assert.deepEqual(await found(), [])
})

test('reports one more occurrence of an existing problem once', async () => {
  const { workspace, found } = await open()
  await workspace.write('index.mdx', `${SITE['index.mdx']}\n\nAnd [again](/nowhere).\n`)
  assert.deepEqual(await found(), ['index.mdx:6 link.missing'])
})

test('reports new images without alt text, but not existing or decorative ones', async () => {
  const old = `${SITE['b.mdx']}\n![](/p.png)\n`
  const { workspace, found } = await open({ ...SITE, 'b.mdx': old })
  await workspace.write(
    'b.mdx',
    `${old}
![The menu](/p.png) ![ ](/p.png)

<img src="/p.png" />
<img src="/p.png" onClick={() => go()} alt="Words" />
<img src="/p.png" alt="" /> <img alt="Words" src="/p.png" /> <img {...props} role="none" />

\`![](/p.png)\`

\`\`\`html
<img src="/p.png">
\`\`\`
`,
  )
  assert.deepEqual(
    (await found()).filter((problem) => problem.includes('alt')),
    ['b.mdx:13 change.alt_missing', 'b.mdx:15 change.alt_missing'],
  )
})

test('a moved page keeps its old problems, and links to its old path are reported', async () => {
  const { workspace, found } = await open()
  workspace.delete('a.mdx')
  await workspace.write('guides/a.mdx', SITE['a.mdx'] ?? '')
  assert.deepEqual(await found(), [
    'b.mdx:9 link.missing',
    'docs.json:null change.redirect_missing',
    'docs.json:10 navigation.page_missing',
    'guides/a.mdx:null change.page_unplaced',
    'index.mdx:3 link.missing',
  ])
  const redirects = [{ source: '/a', destination: '/guides/a' }]
  await workspace.write('docs.json', settings(['index', 'guides/a', 'b', 'gone-before'], { redirects }))
  await workspace.write('index.mdx', '# Hi\n\nSee [a](/guides/a), [old](/nowhere).\n')
  await workspace.write('b.mdx', `${HEAD}See [a](./guides/a).\n`)
  assert.deepEqual(await found(), [])
})

test('reports a changed page that does not compile, and a snippet change that breaks a page', async () => {
  const { workspace, found } = await open()
  await workspace.write('b.mdx', `${HEAD}Text\n\n<Note>\nnever closed\n`)
  assert.deepEqual(
    (await found()).map((line) => line.replace(/\d+ /, '')),
    ['b.mdx:mdx.syntax'],
  )
  await workspace.write('b.mdx', SITE['b.mdx'] ?? '')
  await workspace.write('snippets/part.mdx', 'Part {of.nothing.here}\n')
  const [problem, ...others] = await found()
  assert.deepEqual(others, [])
  assert.match(problem ?? '', /^snippets\/part\.mdx:1 /)
})

test("a page that starts to import a snippet is not blamed for the snippet's existing problems", async () => {
  const { workspace, found } = await open({
    ...SITE,
    'snippets/part.mdx': 'Part {of.nothing.here}\n',
    'a.mdx': 'A\n',
  })
  await workspace.write('a.mdx', "import Part from '/snippets/part.mdx'\n\n<Part />\n")
  assert.deepEqual(await found(), [])
})

test('reports why a site no longer loads, and renders nothing of it', async () => {
  const { workspace, checker } = await open()
  await workspace.write('docs.json', '{ "name": ')
  const { problems, before, after } = await checker.checkChange(signal)
  assert.deepEqual(
    problems.map(({ file, code }) => [file, code]),
    [['docs.json', 'config.json_syntax']],
  )
  assert.deepEqual([before, after], [null, null])
  await assert.rejects(checker.previewPage('b.mdx', signal), ToolRefusal)
})

test('repairing an unloadable site does not require fixing its other problems', async () => {
  const { workspace, found } = await open({ ...SITE, 'docs.json': '{ "name": ' })
  await workspace.write('docs.json', settings(['index', 'a', 'b']))
  assert.deepEqual(await found(), [])
})

test('reports a removed variable on the pages that use it', async () => {
  const files = {
    'docs.json': settings(['x', 'y'], { variables: { product: 'Octavo' } }),
    'x.mdx': 'About {{product}}.\n',
    'y.mdx': 'Nothing.\n',
  }
  const { workspace, found } = await open(files)
  await workspace.write('docs.json', settings(['x', 'y'], { variables: {} }))
  assert.deepEqual(
    (await found()).map((line) => line.split(':')[0]),
    ['x.mdx'],
  )
})

test('renders only the changed pages, before and after the change, for review', async () => {
  const { workspace, checker } = await open()
  await workspace.write('b.mdx', `${HEAD}See [c](/c).\n`)
  await workspace.write('c.mdx', '---\ntitle: C\ndescription: About c\n---\nNew\n')
  await workspace.write('docs.json', settings(['index', 'a', 'b', 'c', 'gone-before']))
  const { problems, before, after } = await checker.checkChange(signal)
  assert.deepEqual(problems, [])
  const has = (manifest: typeof before, file: string) => Object.hasOwn(manifest?.files ?? {}, file)
  assert.deepEqual([before?.pageCount, has(before, 'b.html'), has(before, 'a.html')], [1, true, false])
  assert.deepEqual([after?.pageCount, has(after, 'b.html'), has(after, 'c.html')], [2, true, true])
  for (const file of ['404.html', 'index.html', 'b.md']) assert.ok(has(after, file), file)
  for (const file of ['llms.txt', 'robots.txt', 'serve.mjs', 'sbom.cdx.json', 'manifest.json', '.nojekyll'])
    assert.ok(!has(after, file), `${file} is for hosts and machines`)
})

test('renders pages before the change once, and renders the pages of each change anew', async () => {
  const { workspace, checker } = await open()
  const check = async (path: string, text: string) => {
    await workspace.write(path, `${SITE[path]}${text}`)
    return await checker.checkChange(signal)
  }
  const [first, second] = [await check('b.mdx', 'One.\n'), await check('b.mdx', 'Two.\n')]
  assert.ok(first.before?.files['b.html'])
  assert.equal(second.before, first.before)
  assert.notDeepEqual(second.after, first.after)
  const third = await check('index.mdx', 'Three.\n')
  assert.equal(third.before?.pageCount, 2)
})

test('a change of only docs.json has no changed pages to render', async () => {
  const { workspace, checker } = await open()
  await workspace.write('docs.json', settings(['a', 'index', 'b', 'gone-before']))
  const { diff, prose: _prose, ...outcome } = await checker.checkChange(signal)
  assert.match(diff ?? '', /^"docs\.json", modified:\n[\s\S]*\n-\s+"index",\n/)
  assert.deepEqual(outcome, {
    problems: [],
    before: null,
    after: null,
    risks: { notes: [], isAll: false },
    addresses: [],
  })
})

test('reports prose problems that the change introduces, and no existing ones', async () => {
  const files = {
    ...SITE,
    '.vale.ini': '[*.mdx]\nBasedOnStyles = House\n',
    'styles/House/Words.yml': "extends: existence\nmessage: Avoid '%s'.\nlevel: warning\ntokens: [simply]\n",
    'b.mdx': `${SITE['b.mdx']}\nIt simply is on github.\n`,
  }
  const { workspace, found, checker } = await open(files, {}, ['GitHub'])
  await workspace.write('b.mdx', `${HEAD}First,\n\nsimply twice:\n\nsimply on github or Github.\n`)
  assert.deepEqual(await found(), ['b.mdx:9 prose.name', 'b.mdx:9 prose.rule'])
  const { prose, risks } = await checker.checkChange(signal)
  assert.deepEqual(prose, { rules: 1, undone: [], names: 1, isWhole: true })
  assert.ok(risks !== null, 'what a cap cuts short is published without its risks')
})

test('reports an unknown schema type in an API description that the change wrote', async () => {
  const spec = (type: string) =>
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Pots', version: '1', description: 'type: sting' },
      paths: {
        '/pots': {
          get: {
            parameters: [{ name: 'size', in: 'query', schema: { type } }],
            responses: {
              200: { description: 'All', content: { 'application/json': { example: { type } } } },
            },
          },
        },
      },
    })
  const pots = '---\ntitle: Pots\nopenapi: api.json GET /pots\nhidden: true\n---\n'
  const { workspace, checker } = await open({ ...SITE, 'pots.mdx': pots, 'api.json': spec('integer') })
  await workspace.write('api.json', spec('float'))
  const problems = await checker.findNewProblems(signal)
  assert.deepEqual(
    problems.map(({ file, code, message }) => [file, code, message]),
    [['api.json', 'api.type_unknown', 'The schema type “float” does not exist.']],
  )
})

test('a preview contains the current text of the page, its path and its problems', async () => {
  const { workspace, checker } = await open()
  await workspace.write('b.mdx', `${SITE['b.mdx']}\n<Note>Take **care**</Note>\n\n{no.such.thing}\n`)
  const text = await checker.previewPage('b.mdx', signal)
  for (const part of [
    '# B',
    'About b',
    'First',
    '## More',
    'Take care',
    'Path /b',
    'Problems of this page',
  ]) {
    assert.ok(text.includes(part), `${part} is not in\n${text}`)
  }
  await assert.rejects(checker.previewPage('snippets/part.mdx', signal), /imported by pages/)
  await assert.rejects(checker.previewPage('p.png', signal), ToolRefusal)
})

test('an aborted check rejects with the reason, and the next check works', async () => {
  const { workspace, checker, found } = await open()
  await workspace.write('b.mdx', `${HEAD}Text\n`)
  await assert.rejects(checker.findNewProblems(AbortSignal.abort(new Error('cancelled'))), /cancelled/)
  assert.deepEqual(await found(), [])
})

test('retries files that failed to read in an earlier check', async () => {
  const { workspace, found } = await open()
  await workspace.write('b.mdx', `${HEAD}Text\n`)
  const { read } = workspace.base
  workspace.base.read = () => Promise.reject(new Error('the repository is away'))
  await assert.rejects(found(), /away/)
  workspace.base.read = read
  assert.deepEqual(await found(), [])
})

test('reports links to a renamed heading, also in unchanged pages and snippets', async () => {
  const { workspace, found } = await open({
    ...SITE,
    'docs.json': settings(['index', 'a', 'b', 'c']),
    'index.mdx': '# Hi\n\nSee [more](/b#more) and [nowhere](/b#nowhere).\n',
    'a.mdx': "import Part from '/snippets/part.mdx'\n\n<Part />\n",
    'c.mdx': 'Not to [there](/a#more).\n',
    'snippets/part.mdx': 'See [more](/b#more).\n',
  })
  await workspace.write('b.mdx', `${HEAD}First\n\n## Much more\n\nSee [a](./a) and [this](#more).\n`)
  assert.deepEqual(await found(), [
    'b.mdx:9 link.anchor_missing',
    'index.mdx:3 link.anchor_missing',
    'snippets/part.mdx:1 link.anchor_missing',
  ])
  await workspace.write('b.mdx', `${HEAD}First\n\n## Much more {#more}\n\nSee [a](./a).\n`)
  assert.deepEqual(await found(), [])
})

test('reports a new link to an anchor that does not exist on an unchanged page', async () => {
  const { workspace, found } = await open()
  await workspace.write('index.mdx', `${SITE['index.mdx']}\nSee [more](/b#more) and [less](/b#less).\n`)
  assert.deepEqual(await found(), ['index.mdx:5 link.anchor_missing'])
})

test('a new page requires a title, a description and a navigation entry or hidden: true', async () => {
  const { workspace, found } = await open()
  await workspace.write('c.mdx', 'New\n')
  assert.deepEqual(await found(), [
    'c.mdx:null change.page_unplaced',
    'c.mdx:1 change.description_missing',
    'c.mdx:1 change.title_missing',
  ])
  await workspace.write('c.mdx', '---\ntitle: C\ndescription: About c\nhidden: true\n---\nNew\n')
  assert.deepEqual(await found(), [])
  await workspace.write('b.mdx', '---\ntitle: B\n---\nFirst\n')
  assert.deepEqual(await found(), ['b.mdx:1 change.description_missing'])
})

test('reports a page removed from the navigation that still exists, and a missing image', async () => {
  const { workspace, found } = await open()
  await workspace.write('docs.json', settings(['index', 'a', 'gone-before']))
  await workspace.write('index.mdx', `${SITE['index.mdx']}\n![p](/p.png) <img src="/q.png" alt="q" />\n`)
  assert.deepEqual(await found(), ['b.mdx:null change.page_unplaced', 'index.mdx:5 image.missing'])
})

test('each check reflects the current state of the change, whatever was checked before', async () => {
  const { workspace, checker, found } = await open()
  const text = SITE['b.mdx'] ?? ''
  await workspace.write('b.mdx', `${text}\nOne.\n`)
  assert.deepEqual(await found(), [])
  await workspace.write('b.mdx', `${text}\n[Two](/two).\n`)
  assert.deepEqual(await found(), ['b.mdx:11 link.missing'])
  assert.match(await checker.previewPage('b.mdx', signal), /Two/)
  await workspace.write('b.mdx', `${text}\nOne.\n`)
  assert.deepEqual(await found(), [])
  await workspace.write('snippets/part.mdx', '[Three](/three)\n')
  assert.deepEqual(await found(), ['snippets/part.mdx:1 link.missing'])
  await workspace.write('snippets/part.mdx', SITE['snippets/part.mdx'] ?? '')
  workspace.delete('b.mdx')
  assert.deepEqual(await found(), [
    'docs.json:null change.redirect_missing',
    'docs.json:11 navigation.page_missing',
  ])
  await workspace.write('b.mdx', text)
  assert.deepEqual(await found(), [])
})
