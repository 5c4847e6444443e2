import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMemoryTree } from '../../base/files/memory-tree.ts'
import { loadSite } from '../load-site.ts'
import type { NavItem, Site } from '../model.ts'

async function siteOf(settings: object, pages: string[], files: Record<string, string> = {}): Promise<Site> {
  const content = Object.fromEntries(pages.map((page) => [`${page}.mdx`, 'x']))
  return loadSite(openMemoryTree({ 'mint.json': JSON.stringify(settings, null, 1), ...content, ...files }))
}

const labels = (items: readonly NavItem[] = []) =>
  items.map((item) => (item.kind === 'group' ? item.label : item.kind))

test('maps mint.json settings to their docs.json equivalents', async () => {
  const site = await siteOf(
    {
      name: 'Old',
      logo: { light: '/l.svg', dark: '/d.svg' },
      favicon: '/f.svg',
      colors: {
        primary: '#111111',
        light: '#222222',
        dark: '#333333',
        background: { dark: '#000000' },
        anchors: { from: '#1', to: '#2' },
      },
      topbarLinks: [{ name: 'Help', url: 'mailto:a@b.c' }],
      topbarCtaButton: { type: 'github', url: 'https://github.com/a/b' },
      footerSocials: { x: 'https://x.com/a' },
      modeToggle: { default: 'dark', isHidden: true },
      feedback: { thumbsRating: true },
      api: {
        baseUrl: 'https://api.x',
        auth: { method: 'key', name: 'X-Key' },
        playground: { mode: 'simple' },
      },
      font: { headings: { family: 'Inter', weight: 700 } },
      redirects: [{ source: '/x', destination: '/a' }],
      metadata: { 'og:type': 'website' },
      seo: { indexHiddenPages: true },
      codeBlock: { mode: 'dark' },
      navigation: [{ group: 'G', pages: ['a', { group: 'Inner', pages: ['b'] }] }],
    },
    ['a', 'b'],
    { 'l.svg': 'x', 'd.svg': 'x', 'f.svg': 'x' },
  )
  assert.deepEqual(
    site.problems.map((problem) => problem.code),
    ['config.old_form'],
  )
  const { config } = site
  assert.deepEqual(config.colors, { primary: '#111111', light: '#222222', dark: '#333333' })
  assert.deepEqual(config.background.color, { light: null, dark: '#000000' })
  assert.deepEqual(config.logo, { light: '/l.svg', dark: '/d.svg', href: null })
  assert.deepEqual(config.navbar.links, [{ type: 'link', label: 'Help', href: 'mailto:a@b.c', icon: null }])
  assert.equal(config.navbar.primary?.type, 'github')
  assert.deepEqual(config.footer.socials, [{ name: 'x', href: 'https://x.com/a' }])
  assert.deepEqual(config.appearance, { default: 'dark', strict: true })
  const { playground, baseUrls, authMethod, authName } = config.api
  assert.deepEqual(
    { playground, baseUrls, authMethod, authName },
    { playground: 'simple', baseUrls: ['https://api.x'], authMethod: 'key', authName: 'X-Key' },
  )
  assert.equal(config.fonts.heading?.family, 'Inter')
  assert.deepEqual(config.styling.codeblocks, { light: 'dark-plus', dark: 'dark-plus' })
  assert.deepEqual([config.seo.indexing, config.seo.metatags], ['all', { 'og:type': 'website' }])
  assert.equal(site.redirects.length, 1)
  assert.deepEqual(labels(site.sidebars[0]?.items), ['G'])
})

test('tabs and anchors take the groups below their URL', async () => {
  const site = await siteOf(
    {
      name: 'Old',
      colors: { primary: '#111111' },
      primaryTab: { name: 'Guides' },
      tabs: [{ name: 'API', url: 'api' }],
      anchors: [
        { name: 'Community', icon: 'users', url: 'https://x.y' },
        { name: 'SDK', url: 'sdk' },
      ],
      navigation: [
        { group: 'Start', pages: ['a'] },
        { group: 'Endpoints', pages: ['api/users'] },
        { group: 'Kit', pages: ['sdk/js'] },
      ],
    },
    ['a', 'api/users', 'sdk/js'],
  )
  assert.deepEqual(
    site.sidebars.map((sidebar) => [
      sidebar.levels[0]?.choices[sidebar.levels[0].active ?? -1]?.label,
      labels(sidebar.items),
    ]),
    [
      ['Guides', ['Start']],
      ['API', ['Endpoints']],
      ['SDK', ['Kit']],
    ],
  )
  assert.deepEqual(
    site.sidebars[0]?.globals[0]?.choices.map((choice) => [choice.label, choice.href]),
    [['Community', 'https://x.y']],
  )
})

test('versions contain their own groups and the groups without a version', async () => {
  const site = await siteOf(
    {
      name: 'Old',
      colors: { primary: '#111111' },
      versions: ['v2', 'v1'],
      navigation: [
        { group: 'Both', pages: ['a'] },
        { group: 'Old', version: 'v1', pages: ['b'] },
      ],
    },
    ['a', 'b'],
  )
  assert.deepEqual(
    site.sidebars.map((sidebar) => labels(sidebar.items)),
    [['Both'], ['Both', 'Old']],
  )
})

test('problems in mint.json have the right file and line', async () => {
  const site = await siteOf(
    { name: 'x', colors: { primary: 'no' }, navigation: [{ group: 'G', pages: ['a', 'gone'] }] },
    ['a'],
  )
  assert.deepEqual(
    site.problems.map((problem) => [problem.code, problem.file, problem.line]),
    [
      ['config.old_form', 'mint.json', null],
      ['config.value', 'mint.json', 4],
      ['navigation.page_missing', 'mint.json', 11],
    ],
  )
})

test('reads footer, code samples, parameters, proxy and theme of mint.json', async () => {
  const site = await siteOf(
    {
      name: 'Old',
      theme: 'quill',
      colors: { primary: '#111111' },
      background: { style: 'grid' },
      footer: {
        socials: { github: 'https://github.com/a' },
        links: [{ title: 'More', links: [{ label: 'Blog', url: 'https://b.x' }] }],
      },
      api: {
        playground: { disableProxy: true },
        paramFields: { expanded: true },
        request: { example: { languages: ['python', 'curl'], showOptionalParams: false } },
      },
      contextual: { options: ['copy'] },
      errors: { '404': { title: 'Gone' } },
      navigation: [{ group: 'G', pages: ['a'] }],
    },
    ['a'],
  )
  assert.deepEqual(
    site.problems.map(({ code }) => code),
    ['config.old_form'],
  )
  const { config } = site
  assert.deepEqual([config.theme, config.background.decoration], ['mint', 'grid'])
  assert.deepEqual(config.footer, {
    socials: [{ name: 'github', href: 'https://github.com/a' }],
    links: [{ header: 'More', items: [{ label: 'Blog', href: 'https://b.x' }] }],
  })
  assert.deepEqual(
    [
      config.api.proxy,
      config.api.isExpanded,
      config.api.examples.languages,
      config.api.examples.isRequiredOnly,
    ],
    [false, true, ['python', 'curl'], true],
  )
  assert.deepEqual([config.contextual?.options, config.errors.notFound.title], [['copy'], 'Gone'])
})

test('converts versions with a locale to languages and preserves the default', async () => {
  const site = await siteOf(
    {
      name: 'Old',
      colors: { primary: '#111111' },
      versions: [
        { name: 'English', locale: 'en' },
        { name: 'Deutsch', locale: 'de', default: true },
      ],
      navigation: [
        { group: 'G', version: 'English', pages: ['en/a'] },
        { group: 'H', version: 'Deutsch', pages: ['de/a'] },
      ],
    },
    ['en/a', 'de/a'],
  )
  assert.deepEqual(site.languages, [
    { code: 'de', isDefault: true },
    { code: 'en', isDefault: false },
  ])
  assert.deepEqual(
    site.problems.map(({ code }) => code),
    ['config.old_form'],
  )
})
