/** Imports the fixture of MkDocs with Material and checks each construct in it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertNoErrors, assertNoted, importFixture } from '../kit/imported-site.ts'
import { assertEveryWordRendered } from '../kit/imported-words.ts'

const imported = importFixture('mkdocs')
const { page } = imported

test('the imported site builds without unexpected problems', () => {
  const { problems } = imported.built
  assertNoErrors(problems)
  assert.deepEqual(
    problems.filter(({ message, level }) => level === 'warning' && !/nowhere\.md|nothing\.md/.test(message)),
    [],
  )
})

test('every word of the source appears on the rendered page', async () => {
  await assertEveryWordRendered(
    'mkdocs',
    imported.built,
    {
      index: {
        sources: ['docs/README.md', 'includes/shared.md', 'includes/abbreviations.md'],
        notShown: { 'a short form that the page never uses is a remark in it': ['never', 'used', 'here'] },
      },
      guide: { sources: ['docs/guide/index.md'] },
      'guide/light': { sources: ['docs/guide/light.md'] },
      'deep/alpha': { sources: ['docs/deep/alpha.md'] },
      'deep/zeta': { sources: ['docs/deep/zeta.md'] },
      words: { sources: ['docs/words.md'] },
      unlisted: { sources: ['docs/unlisted.md'] },
    },
    [],
  )
})

test('keeps the configured navigation and orders folders by their .pages file', () => {
  const { pages } = imported.site.settings.navigation as { pages: unknown[] }
  assert.deepEqual(pages, [
    'index',
    {
      group: 'Guide',
      root: 'guide/index',
      pages: [
        'guide/light',
        { group: 'Deep', pages: [{ group: 'Deeper', pages: ['deep/zeta', 'deep/alpha'] }] },
        'links/forum',
      ],
    },
    'words',
  ])
  assert.match(page('guide/light.mdx'), /^title: Lighting\nsidebarTitle: Light it$/m)
  assert.match(page('links/forum.mdx'), /^url: https:\/\/forum\.example$/m)
})

test('imports name, description, color, logo, appearance, font, footer and redirects', () => {
  const { name, description, colors, logo, appearance, fonts, footer, redirects } = imported.site.settings
  assert.deepEqual(
    { name, description, colors, logo, appearance, fonts, footer },
    {
      name: 'Lantern',
      description: 'Care of lanterns',
      colors: { primary: '#009485' },
      logo: '/img/logo.svg',
      appearance: { default: 'system' },
      fonts: { family: 'Inter' },
      footer: { socials: { github: 'https://github.com/acme', website: 'https://acme.example' } },
    },
  )
  assert.deepEqual((redirects as unknown[])[0], { source: '/old/start', destination: '/guide/light' })
})

test('converts nested callouts, grouped tabs and code blocks with their highlights', () => {
  const home = page('index.mdx')
  assert.match(
    home,
    /<Warning title="Hot \*\*glass\*\*">\s+Do not touch\.\s+<Tip title="Nested">[\s\S]*<\/Tip>\s+<\/Warning>/,
  )
  assert.match(home, /```python title="gloves\.py" \{1,3-4\} lines\ngloves = \{"left": 1\}\n/)
  assert.match(home, /<Info>\s+No title here\./)
  assert.match(home, /<Accordion title="Why\?">[\s\S]*<Accordion title="Example" defaultOpen>/)
  assert.match(
    home,
    /<Tabs>\n<Tab title="Linux">[\s\S]*<Tab title="macOS">[\s\S]*<\/Tabs>\s+<Tabs defaultTabIndex=\{1\}>\n<Tab title="Other">/,
  )
  assert.match(home, /^ {4}<Info title="In a list">$/m)
  assert.match(home, /<Card title="Settings" icon="gear">/)
  assert.match(home, /```text\nindented code \{here\}\nmore <code>\n```/)
})

test('converts inline markup to elements and escapes other text', () => {
  const home = page('index.mdx')
  assert.match(
    home,
    /<kbd>Ctrl<\/kbd>\+<kbd>Alt<\/kbd>\+<kbd>Del<\/kbd> and <mark>look closely<\/mark>, H<sub>2<\/sub>O/,
  )
  assert.match(home, /<ins>added<\/ins> <del>removed<\/del> <del>old<\/del><ins>new<\/ins>/)
  assert.match(home, /A note\[\^1\] and another\[\^long\]\./)
  assert.match(home, /<Tooltip tip="Hyper Text Markup Language">HTML<\/Tooltip>/)
  assert.match(home, /<img src="\/img\/logo\.svg" alt="Sized" width="300" \/>/)
  assert.match(home, /Generic &lt;T> and List&lt;String> and \\\{braces\\\} and a &lt; b\./)
  assert.match(home, /`\{\{ config\.version \}\}`/)
  assert.match(home, /<dt>\s+Lamp\s+<\/dt>\n<dd>\s+A light in a glass\.\s+With a second paragraph\.\s+<\/dd>/)
})

test('reports what cannot be imported with file and line', () => {
  assertNoted(imported.notes(), [
    /^docs\/README\.md:8 import\.link .*nowhere\.md/,
    /^docs\/README\.md:150 import\.link .*absent\.md/,
    /^docs\/README\.md:152 import\.template .*config\.version/,
    /^docs\/README\.md:74 import\.syntax .*:material-strange-thing:/,
    /^mkdocs\.yml:3 import\.expression .*!ENV/,
    /^mkdocs\.yml:40 import\.plugin .*i18n/,
    /^mkdocs\.yml:null import\.style .*scripts\.example/,
    /^mkdocs\.yml:null import\.navigation .*missing\.md/,
  ])
})
