import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FileTree } from '../base/files/file-tree.ts'
import { openMemoryTree } from '../base/files/memory-tree.ts'
import { loadSite } from './load-site.ts'
import type { Site } from './model.ts'
import { SiteUnloadableError } from './problems.ts'

const BASE = { name: 'Test', theme: 'mint', colors: { primary: '#123456' } }

/** Creates a site with these pages in its navigation; all other files as given. */
async function siteOf(
  pages: unknown[],
  files: Record<string, string | Uint8Array>,
  more: object = {},
): Promise<Site> {
  const settings = { ...BASE, navigation: { pages }, ...more }
  return loadSite(openMemoryTree({ 'docs.json': JSON.stringify(settings, null, 1), ...files }))
}

const codes = (site: Site) => site.problems.map((problem) => problem.code)
const found = (site: Site, code: string) => site.problems.filter((problem) => problem.code === code)

test('loads routes, titles and assets of a two-page site without problems', async () => {
  const site = await siteOf(['index', 'guides/first-steps'], {
    'index.mdx': '---\ntitle: Welcome\ndescription: Hello\nkeywords: [a, b]\n---\n[x](/guides/first-steps)',
    'guides/first-steps.md': 'Text ![p](/p.png)',
    'p.png': 'png',
    'style.css': 'a{}',
    'run.js': 'x()',
    'notes.py': 'x',
  })
  assert.deepEqual(site.problems, [])
  assert.deepEqual([...site.pages.keys()], ['/', '/guides/first-steps'])
  const home = site.pages.get('/')
  assert.deepEqual(
    [home?.title, home?.sidebarTitle, home?.description, home?.keywords, home?.bodyLine],
    ['Welcome', 'Welcome', 'Hello', ['a', 'b'], 6],
  )
  assert.equal(site.pages.get('/guides/first-steps')?.title, 'First steps')
  assert.deepEqual([...site.assets], ['p.png', 'run.js', 'style.css'])
  assert.deepEqual([site.styles, site.scripts, site.homeRoute], [['style.css'], ['run.js'], '/'])
})

for (const [what, files, code] of [
  ['without docs.json', { 'a.mdx': 'x' }, 'config.missing'],
  ['with a docs.json that is no JSON', { 'docs.json': '{ name: ', 'a.mdx': 'x' }, 'config.json_syntax'],
  ['with a docs.json that is a list', { 'docs.json': '[]', 'a.mdx': 'x' }, 'config.type'],
  ['without any page', { 'docs.json': '{}', 'a.png': 'x' }, 'site.no_pages'],
] as const) {
  test(`rejects a folder ${what} and reports the reason`, async () => {
    const error = await loadSite(openMemoryTree(files)).catch((reason: unknown) => reason)
    assert.ok(error instanceof SiteUnloadableError)
    assert.ok(error.problems.some((problem) => problem.code === code && problem.level === 'error'))
  })
}

test('suggests a docs.json found in a subfolder', async () => {
  await assert.rejects(loadSite(openMemoryTree({ 'docs/site/docs.json': '{}', 'a.mdx': 'x' })), (error) => {
    return error instanceof SiteUnloadableError && error.problems[0]?.remedy.includes('docs/site') === true
  })
})

test('reports settings of the wrong type with their line and uses the defaults', async () => {
  const text =
    '{\n"name": ["x"],\n"theme": "mnt",\n"colors": {"primary": "red"},\n"colour": 1,\n"navigation": {"pages": ["a"]}\n}'
  const site = await loadSite(openMemoryTree({ 'docs.json': text, 'a.mdx': 'x' }))
  assert.deepEqual([site.config.name, site.config.theme], ['Documentation', 'mint'])
  assert.match(site.config.colors.primary, /^#/)
  assert.deepEqual(
    site.problems.map((problem) => [problem.code, problem.line, problem.level]),
    [
      ['config.type', 2, 'warning'],
      ['config.value', 3, 'warning'],
      ['config.value', 4, 'warning'],
      ['config.unknown_key', 5, 'hint'],
    ],
  )
  assert.match(found(site, 'config.unknown_key')[0]?.remedy ?? '', /colors/)
})

test('reports a page missing on disk at its line and suggests the nearest page', async () => {
  const site = await siteOf(['index', 'guides/setpu'], { 'index.mdx': 'x', 'guides/setup.mdx': 'x' })
  const [problem] = site.problems
  assert.deepEqual(
    [problem?.code, problem?.file, problem?.line],
    ['navigation.page_missing', 'docs.json', 10],
  )
  assert.match(problem?.remedy ?? '', /guides\/setup/)
  assert.equal(site.pages.get('/guides/setup')?.isHidden, true)
})

test('navigation entries with an extension, a leading slash or different case resolve to their page', async () => {
  const site = await siteOf(['/a', './b.mdx', 'c.md', 'D', 'folder/index', 'e/'], {
    'a.mdx': 'x',
    'b.mdx': 'x',
    'c.md': 'x',
    'd.mdx': 'x',
    'folder/index.mdx': 'x',
    'e/index.md': 'x',
  })
  assert.deepEqual(codes(site), ['navigation.page_case'])
  assert.deepEqual(
    [...site.pages.values()].filter((page) => page.placements.length === 1).map((page) => page.route),
    ['/a', '/b', '/c', '/d', '/e', '/folder'],
  )
})

test('.mdx wins when two files have the same route, and the other file is reported', async () => {
  const site = await siteOf(['a', 'b'], { 'a.md': 'md', 'a.mdx': 'mdx', 'b.mdx': 'x', 'b/index.mdx': 'y' })
  assert.equal(site.pages.get('/a')?.file, 'a.mdx')
  assert.equal(site.pages.get('/b')?.file, 'b.mdx')
  assert.deepEqual(
    site.problems.map((problem) => [problem.code, problem.file]),
    [
      ['page.route_taken', 'a.md'],
      ['page.route_taken', 'b/index.mdx'],
    ],
  )
})

test('keeps and reports routes that differ only in case', async () => {
  const site = await siteOf(['Guide', 'guide'], { 'Guide.mdx': 'x', 'guide.mdx': 'x' })
  assert.deepEqual([...site.pages.keys()], ['/Guide', '/guide'])
  assert.deepEqual(codes(site), ['page.case_differs'])
})

test('skips and reports ignore rules that are too expensive, and applies the others', async () => {
  const rules = ['drafts/', '*a'.repeat(30), 'x'.repeat(600), `${'**/'.repeat(5)}y`, '*.tmp.mdx']
  const site = await siteOf(['index'], {
    'index.mdx': 'x',
    '.mintignore': `${rules.join('\n')}\n${'never\n'.repeat(3000)}`,
    'drafts/x.mdx': 'x',
    'z.tmp.mdx': 'x',
  })
  assert.deepEqual([...site.pages.keys()], ['/'])
  assert.deepEqual(
    site.problems.filter(({ code }) => code === 'ignore.rule').map(({ line }) => line),
    [2, 3, 4, 2004],
  )
})

test('ignore rules exclude pages and assets, and links to excluded files are reported as broken', async () => {
  const site = await siteOf(['index', 'drafts/x', 'guides/build/y'], {
    'index.mdx': '[a](/drafts/x) ![b](/private/p.png) ![c](/private/q.png)',
    '.mintignore': 'drafts/\nprivate/*\n!private/q.png\n',
    '.octavoignore': '*.tmp.mdx\n',
    'drafts/x.mdx': 'x',
    'private/p.png': 'x',
    'private/q.png': 'x',
    'z.tmp.mdx': 'x',
    'README.md': 'x',
    'node_modules/m/README.md': 'x',
    '.github/y.md': 'x',
    'build/out.mdx': 'x',
    'guides/build/y.mdx': 'x',
  })
  assert.deepEqual([...site.pages.keys()], ['/', '/guides/build/y'])
  assert.deepEqual([...site.assets], ['private/q.png'])
  assert.deepEqual(codes(site).sort(), ['image.missing', 'link.missing', 'navigation.page_ignored'])
})

test('README, changelog and similar files are pages only when listed in the navigation', async () => {
  const named = ['sdk/README', 'sdk/changelog', 'sdk/contributing', 'sdk/license', 'api/Readme']
  const files = [...named, 'README', 'readme', 'changelog', 'api/Contributing']
  const site = await siteOf(named, Object.fromEntries(files.map((name) => [`${name}.md`, 'x'])))
  assert.deepEqual([...site.pages.keys()], named.map((name) => `/${name}`).sort())
  assert.deepEqual(site.problems, [])
  const kept = await siteOf(['index', 'sdk/changelog'], {
    'index.mdx': 'x',
    'sdk/changelog.md': 'x',
    '.mintignore': 'changelog.md',
  })
  assert.deepEqual(codes(kept), ['navigation.page_ignored'])
})

test('ignore rules are case-sensitive', async () => {
  const pages = ['drafts/a', 'Build/b']
  const site = await siteOf(pages, {
    'drafts/a.mdx': 'x',
    'Build/b.mdx': 'x',
    '.mintignore': 'Drafts/\n*.PNG\n',
    'a.png': 'x',
    'b.PNG': 'x',
  })
  assert.deepEqual([...site.pages.keys()], ['/Build/b', '/drafts/a'])
  assert.deepEqual([...site.assets], ['a.png'])
  assert.deepEqual(site.problems, [])
})

test('a page with a dot file name is included only when listed in the navigation, dot folders never', async () => {
  const site = await siteOf(['quickstarts/.NET', '.github/notes', '.secret/.x'], {
    'quickstarts/.NET.mdx': 'x',
    'quickstarts/.draft.mdx': 'x',
    '.github/notes.md': 'x',
    '.secret/.x.mdx': 'x',
  })
  assert.deepEqual([...site.pages.keys()], ['/quickstarts/.NET'])
  assert.deepEqual(codes(site), ['navigation.page_ignored', 'navigation.page_ignored'])
})

test('problems include a remedy for spaces in links, missing API descriptions and misplaced meta tags', async () => {
  const site = await siteOf(
    ['index', 'guides/pipe-line'],
    {
      'index.mdx': '[x](/guides/pipe line) ![y](/my shot.png)',
      'guides/pipe-line.mdx': 'x',
      'my shot.png': 'x',
    },
    {
      api: { openapi: ['absent.json', 'data.json'] },
      metadata: { 'og:title': 'T', robots: 'noarchive', timestamp: true, timestmp: true },
      seo: { metatags: { robots: 'all' } },
    },
  )
  assert.deepEqual(
    site.problems.map(({ code, level, remedy }) => [code, level, remedy.replace(/ or, in.*/, '')]),
    [
      ['api.spec_missing', 'error', 'Correct the path. It must be relative to the docs folder'],
      ['api.spec_missing', 'error', 'Correct the path. It must be relative to the docs folder'],
      ['config.old_form', 'hint', 'Move it to seo.metatags.'],
      ['config.old_form', 'hint', 'Move it to seo.metatags.'],
      ['config.unknown_key', 'hint', 'Did you mean timestamp?'],
      ['link.spaces', 'warning', 'Write the path as (/guides/pipe-line).'],
      ['link.spaces', 'warning', 'Write the path as (</my shot.png>).'],
    ],
  )
  assert.deepEqual(site.config.seo.metatags, { 'og:title': 'T', robots: 'all' })
  assert.equal(site.config.metadata.timestamp, true)
})

test('loads non-UTF-8 pages, CRLF pages and very large pages', async () => {
  const site = await siteOf(['latin', 'utf16', 'crlf', 'large'], {
    'latin.mdx': Uint8Array.from([...Buffer.from('---\ntitle: caf'), 0xe9, ...Buffer.from('\n---\nx')]),
    'utf16.mdx': Buffer.from('\ufeff---\ntitle: Wide\n---\nx', 'utf16le'),
    'crlf.mdx': '---\r\ntitle: Lines\r\n---\r\n[a](/nowhere)\r\n',
    'large.mdx': `---\ntitle: Large\n---\n${`${'words '.repeat(100)}[link](/latin) \`code\`\n`.repeat(1200)}`,
  })
  assert.deepEqual(
    ['/latin', '/utf16', '/crlf', '/large'].map((route) => site.pages.get(route)?.title),
    ['café', 'Wide', 'Lines', 'Large'],
  )
  assert.deepEqual(
    site.problems.map((problem) => [problem.code, problem.file, problem.line]),
    [
      ['link.missing', 'crlf.mdx', 4],
      ['page.encoding', 'latin.mdx', null],
      ['page.encoding', 'utf16.mdx', null],
    ],
  )
})

test('a path refused by the file tree is reported as a problem', async () => {
  const tree: FileTree = {
    ...openMemoryTree({
      'docs.json': JSON.stringify({ ...BASE, navigation: { pages: ['a'] } }),
      'a.mdx': 'x',
    }),
    refused: [{ path: 'secrets', reason: 'symlink_outside' }],
  }
  const site = await loadSite(tree)
  assert.deepEqual(
    site.problems.map((problem) => [problem.code, problem.file]),
    [['file.symlink_outside', 'secrets']],
  )
})

test('a page with frontmatter of the wrong types still loads', async () => {
  const site = await siteOf(['a'], {
    'a.mdx':
      '---\ntitle: 2024\nmode: huge\nhidden: maybe\nkeywords: one, two\nicon: [x]\ndescription: {a: b}\n---\nx',
  })
  const page = site.pages.get('/a')
  assert.deepEqual(
    [page?.title, page?.mode, page?.isHidden, page?.keywords, page?.icon, page?.description],
    ['2024', 'default', false, ['one', 'two'], null, null],
  )
  assert.deepEqual(
    site.problems.map((problem) => [problem.code, problem.line]),
    [
      ['frontmatter.type', 3],
      ['frontmatter.type', 4],
      ['frontmatter.type', 7],
    ],
  )
})

test('distinguishes hidden, unlisted and noindex pages', async () => {
  const site = await siteOf(
    [
      'a',
      'b',
      'c',
      'd',
      { group: 'G', hidden: true, searchable: true, pages: ['e'] },
      { group: 'H', hidden: true, pages: ['f'] },
    ],
    {
      'a.mdx': 'x',
      'b.mdx': '---\nhidden: true\n---\n',
      'c.mdx': '---\nnoindex: true\n---\n',
      'd.mdx': '---\nsearchable: false\n---\n',
      'e.mdx': 'x',
      'f.mdx': 'x',
      'unlisted.mdx': 'x',
    },
  )
  const flags = (route: string) => {
    const page = site.pages.get(route)
    return [page?.isHidden, page?.noindex, page?.isSearchable]
  }
  assert.deepEqual(flags('/a'), [false, false, true])
  assert.deepEqual(flags('/b'), [true, true, false])
  assert.deepEqual(flags('/c'), [false, true, false])
  assert.deepEqual(flags('/d'), [false, false, false])
  assert.deepEqual(flags('/e'), [true, false, true])
  assert.deepEqual(flags('/f'), [true, true, false])
  assert.deepEqual(flags('/unlisted'), [true, false, false])
})

test('lists all pages by folder when there is no navigation', async () => {
  const site = await loadSite(
    openMemoryTree({ 'docs.json': '{"name": "x"}', 'b.mdx': 'x', 'guides/a.mdx': 'x' }),
  )
  assert.deepEqual(
    site.sidebars[0]?.items.map((item) => (item.kind === 'group' ? item.label : item.kind)),
    ['page', 'Guides'],
  )
  assert.ok(codes(site).includes('config.required'))
})

test('the home page is the index, else the redirect target of /, else the first page of the navigation', async () => {
  const files = { 'a.mdx': 'x', 'b.mdx': 'x' }
  assert.equal((await siteOf(['a', 'b'], { ...files, 'index.mdx': 'x' })).homeRoute, '/')
  assert.equal(
    (await siteOf(['a', 'b'], files, { redirects: [{ source: '/', destination: '/b' }] })).homeRoute,
    '/b',
  )
  assert.equal((await siteOf(['b', 'a'], files)).homeRoute, '/b')
})

test('loading the same folder twice returns the same site and problems', async () => {
  const load = () => siteOf(['a', 'x', 'y'], { 'a.mdx': '[b](/c)\n[d](/e)', 'b.mdx': 'import X from "/q"' })
  assert.deepEqual(await load(), await load())
})

test('reports related pages that do not exist and entries that are not links', async () => {
  const site = await siteOf(['a', 'b'], {
    'a.mdx':
      '---\ntitle: A\nrelated:\n  - /b\n  - Gone: /gone\n  - javascript:alert(1)\n  - 7\n  - [x]\n---\nText',
    'b.mdx': '---\nrelated: false\n---\nText',
  })
  assert.deepEqual(
    site.problems.map(({ code, file, line }) => [code, file, line]),
    [
      ['frontmatter.type', 'a.mdx', 3],
      ['link.missing', 'a.mdx', 3],
      ['link.unsafe', 'a.mdx', 3],
    ],
  )
})
