/** Imports the GitBook fixture and checks each construct in it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertNoErrors, assertNoted, importFixture } from '../kit/imported-site.ts'
import { assertEveryWordRendered } from '../kit/imported-words.ts'

const imported = importFixture('gitbook')
const { page } = imported

test('the imported site builds without unexpected problems', () => {
  const { problems } = imported.built
  assertNoErrors(problems)
  assert.deepEqual(
    problems.filter(
      ({ message, level }) => level === 'warning' && !/broken-reference|nothing\.md/.test(message),
    ),
    [],
  )
})

test('every word of the source appears on the rendered page', async () => {
  await assertEveryWordRendered(
    'gitbook',
    imported.built,
    {
      index: {
        sources: ['book/README.md', 'book/.gitbook/includes/shared.md'],
        notShown: {
          'a reference shows the title of its page, not the name of its file': ['md'],
          'operations have pages of their own': [
            ...['api', 'yaml', 'lights', 'one', 'lamp', 'lamp', 'which', 'lamp'],
            ...['true', 'lit', 'lit'],
          ],
          'cells without a column name the picture and the page of a card': ['picture', 'png', 'first', 'md'],
        },
      },
      basics: { sources: ['book/basics/README.md'] },
      'basics/first': { sources: ['book/basics/first.md'] },
      'basics/second': { sources: ['book/basics/second.md'] },
      unlisted: { sources: ['book/unlisted.md'] },
    },
    ['book/SUMMARY.md'],
  )
})

test('SUMMARY.md becomes the navigation, with headings as groups and parent pages as group roots', () => {
  assert.deepEqual((imported.site.settings.navigation as { pages: unknown }).pages, [
    { group: 'Welcome', root: 'index', pages: ['get-lamps', 'post-lamps'] },
    {
      group: 'Basics',
      pages: [
        { group: 'The basics', root: 'basics/index', pages: ['basics/first', 'basics/second'] },
        'links/forum',
      ],
    },
  ])
  assert.deepEqual((imported.site.settings.redirects as unknown[])[0], {
    source: '/old/start',
    destination: '/basics/first',
  })
  assert.match(page('basics/index.mdx'), /^hidden: true$/m)
})

test('converts blocks to components, and code takes the options of its enclosing block', () => {
  const home = page('index.mdx')
  assert.match(home, /<Check>\s+Well done\.\s+<Warning>\s+Nested care\.\s+<\/Warning>\s+<\/Check>/)
  assert.match(
    home,
    /<Tab title="Node">\s+```javascript title="app\.js" lines wrap\nconst a = \{ b: `\{% raw %\}` \}\n```/,
  )
  assert.match(home, /<Step title="Open the box">\s+Use scissors\.\s+<\/Step>\s+<Step>\s+Without a heading\./)
  assert.match(home, /import Included1 from '\/snippets\/book\/shared\.mdx'[\s\S]*<Included1 \/>/)
  assert.match(home, /<Card title="First steps" href="\/basics\/first" horizontal \/>/)
  assert.match(page('get-lamps.mdx'), /^openapi: \/assets\/api\.yaml GET \/lamps$/m)
  assert.match(
    page('post-lamps.mdx'),
    /<ParamField path="lamp" type="string" required>\s+Which lamp\s+<\/ParamField>/,
  )
  assert.match(
    home,
    /<Frame caption="A caption">\n<img src="\/assets\/picture\.png" alt="A picture" width="375" \/>\n<\/Frame>/,
  )
  assert.match(
    home,
    /<Card title="First card" href="\/basics\/first" img="\/assets\/picture\.png">\s+Card text \\\{x\\\}/,
  )
  assert.match(home, /^## A heading \{#custom\}$/m)
  assert.match(home, /^ {2}<Info>\n\n {2}Hint in a list\.\n\n {2}<\/Info>$/m)
  assert.ok(imported.site.texts.has('assets/api.yaml'))
})

test('reports what cannot be imported with file and line', () => {
  assertNoted(imported.notes(), [
    /^book\/README\.md:12 import\.link .*broken-reference/,
    /^book\/README\.md:61 import\.link .*absent\.md/,
    /^book\/README\.md:105 import\.component .*github-files/,
    /^book\/SUMMARY\.md:11 import\.navigation .*missing\.md/,
    /^\.gitbook\.yaml:null import\.link .*nothing\.md/,
  ])
})
