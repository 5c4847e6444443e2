/** Sites of Docusaurus: every construct of the fixture, and what nobody has written by accident. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { assertNoErrors, type Imported, importInto, lostWords, textsOf } from '../kit/imported-site.ts'

const FIXTURE = join(import.meta.dirname, '../fixtures/import/docusaurus')

let site: Imported
before(async () => {
  site = await importInto('docusaurus', FIXTURE)
})
after(() => site[Symbol.asyncDispose]())

const page = (path: string) => {
  const text = site.texts.get(path)
  assert.ok(text !== undefined, `${path} is not among ${[...site.texts.keys()].join(', ')}`)
  return text
}
const notesOf = (kind: string) =>
  site.notes
    .filter(({ code }) => code === `import.${kind}`)
    .map((note) => `${note.file}:${note.line} ${note.message}`)

test('the imported site has no error, and renders', async () => {
  const problems = await site.check()
  assertNoErrors(problems)
  const unexpected = problems.filter(
    ({ code, message }) =>
      !/^import\.package$/.test(code) && !/nothing\.md|“\/docs\/glossary”|“\/nowhere”/.test(message),
  )
  assert.deepEqual(unexpected, [])
})

/** Words that only Docusaurus reads, or that have become another word: `TabItem` is `Tab`. */
const SYNTAX = new Set(
  (
    'tabitem tabs values label value default defaultvalue groupid mac win apple pear os doccardlist tip warning ' +
    'showlinenumbers highlight next line start end browserwindow url link to usebaseurl require lamp png img svg ' +
    'logo import from theme docusaurus site tab codeblock admonition title lampurl id slug setup intro mdx md ' +
    'guides 01 install 02 advanced tuning index glossary docs sidebar label position 1 9 unlisted true static src ' +
    'components badge use hide table of contents first html br div doc custom edit null'
  ).split(' '),
)

test('every word of a page is in the page that it became', async () => {
  const moved: Record<string, string> = {
    'docs/intro.mdx': 'docs/next/intro.mdx',
    'docs/guides/01-install.md': 'docs/next/setup.mdx',
    'docs/guides/02-use.md': 'docs/next/guides/use.mdx',
    'docs/guides/clean.md': 'docs/next/guides/clean.mdx',
    'docs/guides/_parts/_safety.mdx': 'snippets/docs/guides/_parts/_safety.mdx',
    'docs/02-advanced/index.md': 'docs/next/advanced/index.mdx',
    'docs/02-advanced/tuning.md': 'docs/next/advanced/tuning.mdx',
    'docs/glossary.md': 'docs/next/glossary.mdx',
    'api/lamps.md': 'api/lamps.mdx',
    'versioned_docs/version-1.0/intro.md': 'docs/intro.mdx',
    'versioned_docs/version-1.0/old.md': 'docs/old.mdx',
    'src/pages/about.md': 'about.mdx',
    'i18n/fr/docusaurus-plugin-content-docs/current/intro.mdx': 'fr/docs/next/intro.mdx',
    'i18n/fr/docusaurus-plugin-content-docs/current/glossary.md': 'fr/docs/next/glossary.mdx',
  }
  const before = await textsOf(FIXTURE)
  const pages = [...before.keys()].filter((path) => /\.mdx?$/.test(path) && !path.startsWith('blog/'))
  assert.deepEqual(pages.sort(), Object.keys(moved).sort())
  for (const [from, to] of Object.entries(moved))
    assert.deepEqual(lostWords(before.get(from) ?? '', page(to), SYNTAX), [], from)
})

test('languages, versions, plugins and sidebars become one navigation', () => {
  const { languages } = site.settings.navigation as { languages: Record<string, unknown>[] }
  assert.deepEqual(
    languages.map(({ language, default: isDefault }) => [language, isDefault]),
    [
      ['en', true],
      ['fr', undefined],
    ],
  )
  const [english] = languages as {
    tabs: { tab: string; versions?: Record<string, unknown>[]; pages?: unknown }[]
  }[]
  assert.deepEqual(
    english?.tabs.map(({ tab }) => tab),
    ['Documentation', 'API'],
  )
  const [upcoming, first] = english?.tabs[0]?.versions ?? []
  assert.deepEqual([upcoming?.version, first?.version, first?.default], ['Upcoming', '1.0', true])
  assert.deepEqual(upcoming?.tabs, [
    {
      tab: 'Handbook',
      pages: [
        'docs/next/intro',
        {
          group: 'Guides',
          root: 'docs/next/all-guides',
          expanded: true,
          pages: ['docs/next/setup', 'docs/next/guides/use', 'docs/next/guides/clean'],
        },
        { group: 'Advanced', root: 'docs/next/advanced/index', pages: ['docs/next/advanced/tuning'] },
        'docs/next/links/status-page',
      ],
    },
    { tab: 'Lookup', pages: ['docs/next/glossary'] },
  ])
  assert.match(JSON.stringify(languages[1]), /Guides en français/)
  assert.match(
    page('docs/next/all-guides.mdx'),
    /title: All guides\ndescription: Every guide there is[\s\S]*<Card title="Install" href="\/docs\/next\/setup">/,
  )
  assert.match(page('docs/next/links/status-page.mdx'), /^url: https:\/\/status\.example$/m)
})

test('name, colours, logo, navbar, footer and banner are taken over', () => {
  const { name, colors, logo, favicon, appearance, banner, navbar, redirects } = site.settings
  assert.deepEqual(
    { name, colors, logo, favicon, appearance, banner, navbar },
    {
      name: 'Beacon',
      colors: { primary: '#2e8555' },
      logo: { light: '/img/logo.svg', dark: '/img/logo-dark.svg' },
      favicon: '/img/favicon.svg',
      appearance: { default: 'dark' },
      banner: { content: 'Version **2** is [out](https://beacon.example/two)', dismissible: false },
      navbar: {
        links: [
          { label: 'API', href: '/api/lamps' },
          { label: 'GitHub', href: 'https://github.com/acme/beacon', icon: 'github' },
        ],
      },
    },
  )
  assert.deepEqual((redirects as unknown[]).slice(0, 2), [
    { source: '/old-intro', destination: '/docs/intro' },
    { source: '/intro.php', destination: '/docs/intro' },
  ])
})

test('callouts nest, tabs keep their choice, code keeps its marks', () => {
  const intro = page('docs/next/intro.mdx')
  assert.match(intro, /^title: Introduction to \*Beacon\*\nsidebarTitle: Start here\n/m)
  assert.match(
    intro,
    /<Tip title="Bright \*idea\*">[\s\S]*<Warning title="Nested warning">[\s\S]*<\/Warning>\s*<\/Tip>/,
  )
  assert.match(intro, /<Tabs defaultTabIndex=\{1\}>\n<Tab title="macOS">/)
  assert.match(intro, /```js title="src\/lamp\.js" \{2\} lines\n/)
  assert.match(intro, /```python \{2,3,4\}\ndef light\(\):\n {4}oil/)
  assert.match(intro, /import Safety from '\/snippets\/docs\/guides\/_parts\/_safety\.mdx'/)
  assert.match(intro, /<img src="\/docs\/guides\/lamp\.png" alt="Lamp" \/>/)
  assert.match(intro, /\{\/\* <Fancy tone="loud"> \*\/\}Fancy \*\*words\*\* inside/)
  assert.match(intro, /\$\$E = mc\^2\$\$/)
  assert.match(page('docs/next/guides/clean.mdx'), /^hidden: true$/m)
})

test('what cannot be taken over is told with file and line', async () => {
  assert.ok(
    notesOf('expression').some((note) => note.startsWith('docusaurus.config.ts:11 url is the expression')),
  )
  assert.ok(notesOf('plugin').some((note) => note.includes('docusaurus-plugin-sass')))
  assert.ok(
    notesOf('link').some((note) => note.startsWith('docs/intro.mdx:148 There is nothing at ./nothing.md')),
  )
  assert.ok(notesOf('component').some((note) => note.startsWith('docs/intro.mdx:120 The component <Fancy>')))
  assert.ok(notesOf('file').some((note) => note.includes('blog')))
  assert.ok(notesOf('navigation').some((note) => note.includes('missing-document')))
  const report = await readFile(join(site.folder, 'import-report.md'), 'utf8')
  for (const { message } of site.notes) assert.ok(report.includes(message), message)
})
