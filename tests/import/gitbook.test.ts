/** Spaces of GitBook: every construct of the fixture. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { assertNoErrors, type Imported, importInto, lostWords, textsOf } from '../kit/imported-site.ts'

const FIXTURE = join(import.meta.dirname, '../fixtures/import/gitbook')

let site: Imported
before(async () => {
  site = await importInto('gitbook', FIXTURE)
})
after(() => site[Symbol.asyncDispose]())

const page = (path: string) => {
  const text = site.texts.get(path)
  assert.ok(text !== undefined, `${path} is not among ${[...site.texts.keys()].join(', ')}`)
  return text
}

test('the imported site has no error, and renders', async () => {
  const problems = await site.check()
  assertNoErrors(problems)
  assert.deepEqual(
    problems.filter(
      ({ message, level }) => level === 'warning' && !/broken-reference|nothing\.md/.test(message),
    ),
    [],
  )
})

/** Words that only GitBook reads, or that have become another word. */
const SYNTAX = new Set(
  (
    'readme md hint style endhint success info danger tabs endtabs tab endtab code endcode linenumbers true overflow embed url ' +
    'endembed https www youtube com watch v content ref endcontent file src endfile gitbook includes stepper step ' +
    'endstepper endstep columns column endcolumn endcolumns endopenapi swagger endswagger description parameter ' +
    'response in name required type status method path figure figcaption p strong img table data view cards thead tr ' +
    'th hidden card cover files target td tbody a href picture png id custom rocket div tip title summary basics first ' +
    'openapi assets include lamps post get wrap class'
  ).split(' '),
)

test('every word of a page is in the page that it became', async () => {
  const moved: Record<string, string> = {
    'book/README.md': 'index.mdx',
    'book/basics/README.md': 'basics/index.mdx',
    'book/basics/first.md': 'basics/first.mdx',
    'book/basics/second.md': 'basics/second.mdx',
    'book/unlisted.md': 'unlisted.mdx',
    'book/.gitbook/includes/shared.md': 'snippets/book/shared.mdx',
  }
  const before = await textsOf(FIXTURE)
  const pages = [...before.keys()].filter((path) => path.endsWith('.md') && !path.endsWith('SUMMARY.md'))
  assert.deepEqual(pages.sort(), Object.keys(moved).sort())
  for (const [from, to] of Object.entries(moved))
    assert.deepEqual(lostWords(before.get(from) ?? '', page(to), SYNTAX), [], from)
})

test('the table of contents is the navigation: headings are groups, pages with others below them too', () => {
  assert.deepEqual((site.settings.navigation as { pages: unknown }).pages, [
    'index',
    {
      group: 'Basics',
      pages: [
        { group: 'The basics', root: 'basics/index', pages: ['basics/first', 'basics/second'] },
        'links/forum',
      ],
    },
  ])
  assert.deepEqual((site.settings.redirects as unknown[])[0], {
    source: '/old/start',
    destination: '/basics/first',
  })
  assert.match(page('basics/index.mdx'), /^hidden: true$/m)
})

test('blocks become components, and code takes the options of the block around it', () => {
  const home = page('index.mdx')
  assert.match(home, /<Check>\s+Well done\.\s+<Warning>\s+Nested care\.\s+<\/Warning>\s+<\/Check>/)
  assert.match(
    home,
    /<Tab title="Node">\s+```javascript title="app\.js" lines wrap\nconst a = \{ b: `\{% raw %\}` \}\n```/,
  )
  assert.match(home, /<Step title="Open the box">\s+Use scissors\.\s+<\/Step>\s+<Step>\s+Without a heading\./)
  assert.match(home, /import Included1 from '\/snippets\/book\/shared\.mdx'[\s\S]*<Included1 \/>/)
  assert.match(home, /<Card title="First steps" href="\/basics\/first" horizontal \/>/)
  assert.match(home, /<ParamField path="lamp" type="string" required>\s+Which lamp\s+<\/ParamField>/)
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
  assert.ok(site.texts.has('assets/api.yaml'))
})

test('what cannot be taken over is told with file and line', () => {
  const notes = site.notes.map(({ file, line, code, message }) => `${file}:${line} ${code} ${message}`)
  for (const expected of [
    /^book\/README\.md:12 import\.link .*broken-reference/,
    /^book\/README\.md:61 import\.link .*absent\.md/,
    /^book\/README\.md:85 import\.component .*openapi/,
    /^book\/README\.md:105 import\.component .*github-files/,
    /^book\/SUMMARY\.md:11 import\.navigation .*missing\.md/,
    /^\.gitbook\.yaml:null import\.link .*nothing\.md/,
  ])
    assert.ok(
      notes.some((note) => expected.test(note)),
      `${expected} is not among\n${notes.join('\n')}`,
    )
})
