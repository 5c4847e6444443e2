import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMemoryTree } from '../../base/files/memory-tree.ts'
import { loadSite } from '../load-site.ts'
import type { NavItem, Site } from '../model.ts'

/** Creates a site with exactly the pages that the navigation lists as strings. */
async function siteOf(navigation: unknown, files: Record<string, string> = {}): Promise<Site> {
  const pages: Record<string, string> = {}
  const collect = (value: unknown, key: string): void => {
    if (typeof value === 'string' && (key === 'pages' || key === 'root') && !value.includes(' '))
      pages[`${value}.mdx`] = 'x'
    else if (Array.isArray(value)) for (const item of value) collect(item, key)
    else if (typeof value === 'object' && value !== null)
      for (const [name, one] of Object.entries(value)) collect(one, name)
  }
  collect(navigation, '')
  const settings = { name: 'T', theme: 'mint', colors: { primary: '#123456' }, navigation }
  return loadSite(openMemoryTree({ 'docs.json': JSON.stringify(settings, null, 1), ...pages, ...files }))
}

/** `['a', { G: ['b'] }]`: pages by route, groups by label, links by URL. */
function outline(items: readonly NavItem[]): unknown[] {
  return items.map((item) => {
    if (item.kind === 'page') return item.route
    if (item.kind === 'link') return `-> ${item.href}`
    return { [item.label]: outline(item.items) }
  })
}

test('nested groups keep their order, and pages know their groups and neighbors', async () => {
  const site = await siteOf({
    groups: [
      { group: 'One', pages: ['a', { group: 'Inner', icon: 'star', expanded: true, pages: ['b', 'c'] }] },
      { group: 'Two', tag: 'NEW', pages: ['d'] },
    ],
  })
  assert.deepEqual(site.problems, [])
  const [sidebar] = site.sidebars
  assert.deepEqual(outline(sidebar?.items ?? []), [{ One: ['/a', { Inner: ['/b', '/c'] }] }, { Two: ['/d'] }])
  assert.deepEqual(site.pages.get('/c')?.placements, [
    { sidebar: 's0', groups: ['One', 'Inner'], previous: '/b', next: '/d' },
  ])
  assert.deepEqual(sidebar?.levels, [])
  assert.deepEqual(site.languages, [{ code: 'en', isDefault: true }])
})

test('a group root is listed first, and its entry in pages is not a second placement', async () => {
  const site = await siteOf({ groups: [{ group: 'G', root: 'g/start', pages: ['g/start', 'g/next'] }] })
  const [group] = site.sidebars[0]?.items ?? []
  assert.ok(group?.kind === 'group')
  assert.deepEqual([group.root, outline(group.items)], ['/g/start', ['/g/next']])
  assert.equal(site.pages.get('/g/start')?.placements.length, 1)
  assert.equal(site.pages.get('/g/next')?.placements[0]?.previous, '/g/start')
  assert.deepEqual(site.problems, [])
})

test('each tab gets a sidebar that contains all choices and marks the active one', async () => {
  const site = await siteOf({
    tabs: [
      { tab: 'Guides', icon: 'book', groups: [{ group: 'G', pages: ['a'] }] },
      { tab: 'API', pages: ['b', 'c'] },
      { tab: 'Blog', href: 'https://blog.x.y' },
      { tab: 'Secret', hidden: true, pages: ['s'] },
    ],
    global: { anchors: [{ anchor: 'Community', href: '/community', icon: 'users' }] },
  })
  assert.deepEqual(
    site.sidebars.map((sidebar) => [
      sidebar.id,
      sidebar.levels[0]?.active,
      sidebar.globals[0]?.choices[0]?.href,
    ]),
    [
      ['s0', 0, '/community'],
      ['s1', 1, '/community'],
      ['s2', 3, '/community'],
    ],
  )
  assert.deepEqual(
    site.sidebars[1]?.levels[0]?.choices.map((choice) => [
      choice.label,
      choice.href,
      choice.sidebars,
      choice.isHidden,
    ]),
    [
      ['Guides', '/a', ['s0'], false],
      ['API', '/b', ['s1'], false],
      ['Blog', 'https://blog.x.y', [], false],
      ['Secret', '/s', ['s2'], true],
    ],
  )
  assert.equal(site.pages.get('/s')?.isHidden, true)
  assert.equal(site.pages.get('/s')?.placements[0]?.sidebar, 's2')
})

test('languages and versions nest, and defaults decide the language, home page and first placement', async () => {
  const tabs = (prefix: string) => [{ tab: 'T', pages: [`${prefix}/a`, 'shared'] }]
  const site = await siteOf({
    languages: [
      { language: 'fr', versions: [{ version: 'v1', tabs: tabs('fr/v1') }] },
      {
        language: 'en',
        default: true,
        versions: [
          { version: 'v1', tabs: tabs('v1') },
          { version: 'v2', default: true, tag: 'Latest', tabs: tabs('v2') },
        ],
      },
    ],
  })
  assert.deepEqual(site.languages, [
    { code: 'en', isDefault: true },
    { code: 'fr', isDefault: false },
  ])
  assert.equal(site.homeRoute, '/v2/a')
  assert.equal(site.pages.get('/fr/v1/a')?.language, 'fr')
  assert.deepEqual(
    site.pages.get('/shared')?.placements.map((placement) => placement.sidebar),
    ['s2', 's0', 's1'],
  )
  const last = site.sidebars[2]
  assert.deepEqual(
    last?.levels.map((level) => [level.kind, level.active, level.choices.map((choice) => choice.label)]),
    [
      ['languages', 1, ['Français', 'English']],
      ['versions', 1, ['v1', 'v2']],
      ['tabs', 0, ['T']],
    ],
  )
  assert.equal(last?.levels[0]?.choices[1]?.href, '/v2/a')
  assert.deepEqual(last?.levels[0]?.choices[1]?.sidebars, ['s1', 's2'])
})

test('a menu inside a tab is a separate level attached to the tab', async () => {
  const site = await siteOf({
    tabs: [
      {
        tab: 'Docs',
        menu: [
          { item: 'One', description: 'First', groups: [{ group: 'G', pages: ['a'] }] },
          { item: 'Two', pages: ['b'] },
        ],
      },
    ],
  })
  const level = site.sidebars[1]?.levels
  assert.deepEqual(
    level?.map((one) => [one.kind, one.active]),
    [
      ['tabs', 0],
      ['menu', 1],
    ],
  )
  assert.deepEqual(
    level?.[0]?.choices[0]?.menu.map((choice) => [choice.label, choice.description, choice.href]),
    [
      ['One', 'First', '/a'],
      ['Two', null, '/b'],
    ],
  )
})

test('anchors contain tabs or dropdowns, tabs contain versions, and dropdowns contain products', async () => {
  const site = await siteOf({
    anchors: [
      {
        anchor: 'Docs',
        icon: 'book',
        color: { light: '#fff', dark: '#000' },
        tabs: [{ tab: 'T', versions: [{ version: '1', pages: ['a'] }] }],
      },
      {
        anchor: 'More',
        dropdowns: [{ dropdown: 'D', products: [{ product: 'P', name: 'Pro', pages: ['b'] }] }],
      },
    ],
  })
  assert.deepEqual(
    site.sidebars.map((sidebar) => sidebar.levels.map((level) => level.kind)),
    [
      ['anchors', 'tabs', 'versions'],
      ['anchors', 'dropdowns', 'products'],
    ],
  )
  assert.deepEqual(site.sidebars[0]?.levels[0]?.choices[0]?.color, { light: '#fff', dark: '#000' })
  assert.equal(site.sidebars[1]?.levels[2]?.choices[0]?.label, 'Pro')
  assert.deepEqual(site.problems, [])
})

test('link-only entries next to other children become global', async () => {
  const site = await siteOf({
    anchors: [{ anchor: 'Blog', href: 'https://x.y' }],
    groups: [{ group: 'G', pages: ['a'] }],
  })
  assert.deepEqual(site.problems, [])
  assert.deepEqual(outline(site.sidebars[0]?.items ?? []), [{ G: ['/a'] }])
  assert.equal(site.sidebars[0]?.globals[0]?.choices[0]?.label, 'Blog')
})

test('reports mixed kinds of children, shows one and keeps the pages of the other as hidden', async () => {
  const site = await siteOf({ tabs: [{ tab: 'T', pages: ['a'] }], groups: [{ group: 'G', pages: ['b'] }] })
  assert.deepEqual(
    site.problems.map((problem) => [problem.code, problem.level]),
    [['navigation.mixed_children', 'error']],
  )
  assert.equal(site.pages.get('/b')?.isHidden, true)
})

test('shows pages and groups on the same level', async () => {
  const site = await siteOf({ tabs: [{ tab: 'T', pages: ['a'], groups: [{ group: 'G', pages: ['b'] }] }] })
  assert.deepEqual(outline(site.sidebars[0]?.items ?? []), ['/a', { G: ['/b'] }])
  assert.deepEqual(site.problems, [])
})

test('a page listed twice has two placements and a hint is reported', async () => {
  const site = await siteOf({
    groups: [
      { group: 'G', pages: ['a', 'b'] },
      { group: 'H', pages: ['a'] },
    ],
  })
  assert.equal(site.pages.get('/a')?.placements.length, 2)
  assert.deepEqual(
    site.problems.map((problem) => [problem.code, problem.level]),
    [['navigation.page_twice', 'hint']],
  )
})

test('a hidden group is left out of paging, and a hidden page is not listed', async () => {
  const site = await siteOf(
    { pages: ['a', { group: 'H', hidden: true, pages: ['h'] }, 'p', 'b'] },
    { 'p.mdx': '---\nhidden: true\n---\n' },
  )
  assert.deepEqual(outline(site.sidebars[0]?.items ?? []), ['/a', { H: ['/h'] }, '/b'])
  assert.equal(site.pages.get('/a')?.placements[0]?.next, '/b')
  assert.deepEqual(site.pages.get('/h')?.placements, [
    { sidebar: 's0', groups: ['H'], previous: null, next: null },
  ])
})

test('a link-only page is listed in the sidebar but skipped by previous and next', async () => {
  const site = await siteOf({ pages: ['a', 'out', 'b'] }, { 'out.mdx': '---\nurl: https://x.y\n---\n' })
  assert.deepEqual(outline(site.sidebars[0]?.items ?? []), ['/a', '/out', '/b'])
  assert.equal(site.pages.get('/a')?.placements[0]?.next, '/b')
  assert.equal(site.pages.get('/out')?.url, 'https://x.y')
})

test('reads links and unusual objects in pages, and reports invalid entries', async () => {
  const site = await siteOf({
    pages: [
      'a',
      { anchor: 'Out', href: 'https://x.y' },
      'https://z.y',
      { title: 'No group', pages: ['b'] },
      { page: 'a2' },
      7,
      '',
    ],
  })
  assert.deepEqual(outline(site.sidebars[0]?.items ?? []), [
    '/a',
    '-> https://x.y',
    '-> https://z.y',
    { 'No group': ['/b'] },
  ])
  assert.deepEqual(
    site.problems.map((problem) => problem.code),
    [
      'navigation.address_as_page',
      'navigation.unknown_entry',
      'navigation.page_missing',
      'config.type',
      'navigation.empty_entry',
    ],
  )
})

test('reads a navigation array as groups', async () => {
  const site = await siteOf([{ group: 'G', pages: ['a'] }])
  assert.deepEqual(outline(site.sidebars[0]?.items ?? []), [{ G: ['/a'] }])
  assert.deepEqual(
    site.problems.map((problem) => problem.level),
    ['hint'],
  )
})
