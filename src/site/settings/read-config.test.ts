import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Problem } from '../../base/errors/problem.ts'
import { parseJson } from '../json.ts'
import type { SiteConfig } from './config.ts'
import { readConfig } from './read-config.ts'

function read(settings: object): { config: SiteConfig; problems: Problem[] } {
  const problems: Problem[] = []
  const node = parseJson(
    problems,
    'docs.json',
    JSON.stringify({ name: 'T', colors: { primary: '#123' }, ...settings }),
  )
  assert.ok(node)
  return { config: readConfig(problems, node), problems }
}

test('every setting has its default value', () => {
  const { config, problems } = read({})
  assert.deepEqual(problems, [])
  assert.deepEqual(config, {
    name: 'T',
    description: null,
    theme: 'mint',
    colors: { primary: '#123', light: '#123', dark: '#123' },
    logo: null,
    favicon: null,
    appearance: { default: 'system', strict: false },
    icons: { library: 'fontawesome' },
    fonts: { heading: null, body: null },
    background: { decoration: null, color: { light: null, dark: null }, image: null },
    styling: {
      eyebrows: 'section',
      latex: null,
      codeblocks: { light: 'github-light-default', dark: 'dark-plus' },
    },
    navbar: { links: [], primary: null },
    footer: { socials: [], links: [] },
    banner: null,
    interaction: { drilldown: null },
    contextual: null,
    feedback: {},
    errors: { notFound: { redirect: false, title: null, description: null } },
    variables: {},
    metadata: { timestamp: false },
    samples: { run: [] },
    translations: { staleNote: false },
    search: { prompt: null },
    seo: {
      indexing: 'navigable',
      metatags: {},
      paths: [],
      organization: { id: null, name: null, legalName: null, url: null, logo: null, sameAs: [] },
      trailingSlash: false,
    },
    markdown: { schema: true, instructions: null },
    thumbnails: { appearance: null, background: null },
    integrations: {},
    api: {
      playground: 'interactive',
      proxy: true,
      credentials: false,
      isExpanded: false,
      pills: [],
      hasFullUrl: false,
      examples: {
        languages: ['bash', 'python', 'javascript', 'php', 'go', 'java', 'ruby', 'csharp'],
        isRequiredOnly: false,
        isPrefilled: false,
        isGenerated: true,
      },
      baseUrls: [],
      authMethod: null,
      authName: null,
    },
    languages: {},
  })
})

test('reads every accepted form of a setting', () => {
  const { config, problems } = read({
    logo: '/l.svg',
    favicon: { light: '/a.png', dark: '/b.png' },
    fonts: { family: 'Inter', heading: { family: 'Sora', weight: '600', source: '/f.woff2' } },
    styling: { codeblocks: { theme: { light: 'min-light' } }, latex: 'true' },
    banner: { content: 'Hi', dismissible: true, color: { dark: '#ABC' } },
    contextual: {
      options: [
        'copy',
        'copy',
        {
          title: 'Ask',
          description: 'x',
          icon: 'star',
          href: { base: 'https://a.b', query: [{ key: 'q', value: 'Read $page' }] },
        },
      ],
    },
    errors: { 404: { redirect: false, title: 'Gone' } },
    variables: { version: 2, 'api-url': 'x' },
    api: { mdx: { server: ['a', 'b'], auth: { method: 'bearer' } } },
    navbar: {
      links: [
        { label: 'L', href: '/l', icon: { name: 'star', style: 'solid' } },
        { type: 'github', href: 'https://github.com/a/b' },
      ],
    },
    footer: { links: [{ header: 'H', items: [{ label: 'I', href: '/i' }] }, { items: [] }] },
    navigation: { languages: [{ language: 'fr', banner: { content: 'Salut' } }, { language: 'en' }] },
  })
  assert.deepEqual(problems, [])
  assert.deepEqual(config.logo, { light: '/l.svg', dark: '/l.svg', href: null })
  assert.deepEqual(config.fonts, {
    heading: { family: 'Sora', weight: 600, source: '/f.woff2', format: 'woff2' },
    body: { family: 'Inter', weight: null, source: null, format: null },
  })
  assert.deepEqual(config.styling, {
    eyebrows: 'section',
    latex: true,
    codeblocks: { light: 'min-light', dark: 'dark-plus' },
  })
  assert.deepEqual(config.banner, {
    content: 'Hi',
    isDismissible: true,
    type: 'info',
    color: { light: '#abc', dark: '#abc' },
  })
  assert.deepEqual(config.contextual?.options, [
    'copy',
    {
      title: 'Ask',
      description: 'x',
      icon: { kind: 'name', name: 'star', style: null, library: 'fontawesome' },
      href: 'https://a.b?q=Read%20$page',
    },
  ])
  assert.deepEqual(config.errors.notFound, { redirect: false, title: 'Gone', description: null })
  assert.deepEqual(config.variables, { version: '2', 'api-url': 'x' })
  assert.deepEqual([config.api.baseUrls, config.api.authMethod], [['a', 'b'], 'bearer'])
  assert.equal(config.navbar.links[0]?.icon?.kind === 'name' && config.navbar.links[0].icon.style, 'solid')
  assert.equal(config.footer.links.length, 1)
  assert.deepEqual(Object.keys(config.languages), ['fr'])
  assert.equal(config.languages.fr?.banner?.content, 'Salut')
})

test('an invalid value is dropped without affecting other settings', () => {
  const { config, problems } = read({
    appearance: 'dark',
    navbar: { links: [{ label: 'no href' }, { label: 'L', href: '/l' }], primary: [] },
    footer: { socials: { x: 5, github: ['y'] }, links: 'none' },
    seo: { metatags: { robots: { a: 1 }, ok: 'x' } },
    contextual: { options: ['copy', 'telepathy'] },
    variables: { 'a b': 'x' },
    redirects: [],
  })
  assert.deepEqual(problems.map((problem) => problem.code).sort(), [
    'config.required',
    'config.type',
    'config.type',
    'config.type',
    'config.type',
    'config.type',
    'config.value',
    'config.value',
  ])
  assert.equal(config.navbar.links.length, 1)
  assert.deepEqual(config.footer.socials, [{ name: 'x', href: '5' }])
  assert.deepEqual(config.seo.metatags, { ok: 'x' })
  assert.deepEqual(config.contextual?.options, ['copy'])
  assert.deepEqual(config.variables, {})
})

test('reads feedback settings by their docs.json names, and disabled telemetry turns all feedback off', () => {
  const of = (settings: object) => read(settings).config.feedback
  assert.deepEqual(of({ feedback: { thumbsRating: false, codeSnippet: true, raiseIssue: 'true' } }), {
    thumbs: false,
    code: true,
    raiseIssue: true,
  })
  assert.deepEqual(of({ feedback: { enabled: false, suggestEdit: true } }), {
    thumbs: false,
    code: false,
    suggestEdit: true,
    raiseIssue: false,
  })
  const off = { thumbs: false, code: false, suggestEdit: false, raiseIssue: false }
  assert.deepEqual(
    of({ feedback: { thumbsRating: true }, integrations: { telemetry: { enabled: false } } }),
    off,
  )
  assert.deepEqual(
    read({ feedback: { thumbsRating: 'maybe' } }).problems.map(({ code }) => code),
    ['config.type'],
  )
  assert.deepEqual(read({ feedback: { thumbsRating: true } }).problems, [])
})

test('resolves paths from the docs folder, with or without a leading slash', () => {
  const { config } = read({
    logo: { light: './logo/l.svg', dark: 'logo/d.svg', href: 'start' },
    favicon: 'https://cdn.acme.dev/f.png',
    background: { image: '../b.png' },
    fonts: { family: 'F', source: 'fonts/f.woff2' },
    navbar: {
      links: [{ label: 'A', href: 'a', icon: './i.svg' }],
      primary: { label: 'B', href: 'mailto:a@b.c' },
    },
    footer: { links: [{ items: [{ label: 'C', href: './c#d' }] }] },
  })
  assert.deepEqual(config.logo, { light: '/logo/l.svg', dark: '/logo/d.svg', href: '/start' })
  assert.equal(config.favicon?.light, 'https://cdn.acme.dev/f.png')
  assert.equal(config.background.image?.dark, '/b.png')
  assert.equal(config.fonts.body?.source, '/fonts/f.woff2')
  assert.deepEqual(
    [config.navbar.links[0]?.href, config.navbar.links[0]?.icon, config.navbar.primary?.href],
    ['/a', { kind: 'image', src: '/i.svg' }, 'mailto:a@b.c'],
  )
  assert.equal(config.footer.links[0]?.items[0]?.href, '/c#d')
})

test('a navbar link with only a named icon is labeled with the icon name', () => {
  const links = [
    { label: '', icon: 'discord', href: 'https://discord.example' },
    { icon: '/own.svg', href: '/x' },
  ]
  const { config, problems } = read({ theme: 'mint', navbar: { links } })
  assert.deepEqual(
    config.navbar.links.map(({ label }) => label),
    ['discord'],
  )
  assert.deepEqual(
    problems.map(({ code }) => code),
    ['config.required'],
  )
})
