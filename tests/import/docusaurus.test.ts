/** Imports the Docusaurus fixture and checks each construct in it. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { assertNoErrors, importFixture } from '../kit/imported-site.ts'
import { assertEveryWordRendered } from '../kit/imported-words.ts'

const imported = importFixture('docusaurus')
const { page } = imported
const notesOf = (kind: string) =>
  imported.site.notes
    .filter(({ code }) => code === `import.${kind}`)
    .map((note) => `${note.file}:${note.line} ${note.message}`)

test('the imported site builds without unexpected problems', () => {
  const { problems } = imported.built
  assertNoErrors(problems)
  const unexpected = problems.filter(
    ({ code, message }) =>
      !/^import\.package$/.test(code) && !/nothing\.md|“\/docs\/glossary”|“\/nowhere”/.test(message),
  )
  assert.deepEqual(unexpected, [])
})

test('every word of the source appears on the rendered page', async () => {
  await assertEveryWordRendered('docusaurus', imported.built, {
    'docs/next/intro': {
      sources: ['docs/intro.mdx', 'docs/guides/_parts/_safety.mdx', 'docs/guides/lamp.js'],
    },
    'docs/next/setup': { sources: ['docs/guides/01-install.md'] },
    'docs/next/guides/use': { sources: ['docs/guides/02-use.md'] },
    'docs/next/guides/clean': { sources: ['docs/guides/clean.md'] },
    'docs/next/advanced': { sources: ['docs/02-advanced/index.md'] },
    'docs/next/advanced/tuning': { sources: ['docs/02-advanced/tuning.md'] },
    'docs/next/glossary': { sources: ['docs/glossary.md'] },
    'api/lamps': { sources: ['api/lamps.md'] },
    'docs/intro': { sources: ['versioned_docs/version-1.0/intro.md'] },
    'docs/old': { sources: ['versioned_docs/version-1.0/old.md'] },
    blog: { sources: ['blog/2024-01-01-launch.md'] },
    about: { sources: ['src/pages/about.md'] },
    'fr/docs/next/intro': { sources: ['i18n/fr/docusaurus-plugin-content-docs/current/intro.mdx'] },
    'fr/docs/next/glossary': { sources: ['i18n/fr/docusaurus-plugin-content-docs/current/glossary.md'] },
  })
})

test('languages, versions, plugins and sidebars become one navigation', () => {
  const { languages } = imported.site.settings.navigation as { languages: Record<string, unknown>[] }
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
    ['Documentation', 'API', 'Blog'],
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

test('imports name, colors, logo, favicon, appearance, banner, navbar and redirects', () => {
  const { name, colors, logo, favicon, appearance, banner, navbar, redirects } = imported.site.settings
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

test('converts nested callouts, tabs with their default and code blocks with their highlights', () => {
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
  assert.match(intro, /(?<!\$)\$E = mc\^2\$(?!\$)/)
  assert.match(intro, /an emoji 🎉\./)
  assert.match(intro, /<CodeBlock language="js">\{"[^"]+"\}<\/CodeBlock>/)
  assert.match(page('docs/next/guides/clean.mdx'), /^hidden: true$/m)
})

test('reports what cannot be imported with file and line', async () => {
  assert.ok(
    notesOf('expression').some((note) => note.startsWith('docusaurus.config.ts:11 url is an expression')),
  )
  assert.ok(notesOf('plugin').some((note) => note.includes('docusaurus-plugin-sass')))
  assert.ok(
    notesOf('link').some((note) => note.startsWith('docs/intro.mdx:148 The link target ./nothing.md')),
  )
  assert.ok(notesOf('component').some((note) => note.startsWith('docs/intro.mdx:120 The component <Fancy>')))
  assert.ok(notesOf('page').some((note) => note.includes('1 posts of the blog')))
  assert.ok(notesOf('navigation').some((note) => note.includes('missing-document')))
  const report = await readFile(join(imported.site.folder, 'import-report.md'), 'utf8')
  for (const { message } of imported.site.notes) assert.ok(report.includes(message), message)
})
