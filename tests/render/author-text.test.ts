/** Author text is preserved in every output. */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type BuiltSite, buildSite } from '../kit/built-site.ts'
import { wordsOfPage } from '../kit/rendered-words.ts'
import { writeSite } from '../kit/site.ts'

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  heading: '# Overview\n\nFirst sentence.',
  list: '- one\n- two\n\nBehind.',
  table: '| a | b |\n|---|---|\n| 1 | 2 |\n\nBehind.',
  fence: '```bash\ncurl x\n```\n\nBehind.',
  html: '<p>All pets.</p><ul><li>one</li><li>two</li></ul>',
  quote: '> **Note** this\n\nBehind.',
  comment: '<!-- hidden words -->\nReal `first` sentence.\n\nSecond <!-- hidden words --> one.',
}

const SCHEMA = `
"""
- alpha
- beta

Gamma <!-- hidden words --> delta.
"""
type Pet {
  name: String
}

type Query {
  "Gives a Promise<pet> and {braces}."
  pets: Pet
}
`

const SITE: Readonly<Record<string, string>> = {
  'docs.json': JSON.stringify({
    theme: 'mint',
    name: 'Words',
    colors: { primary: '#0D6B50' },
    navigation: {
      tabs: [
        { tab: 'Pages', groups: [{ group: 'Pages', pages: ['index', 'bare', 'plain', 'code'] }] },
        { tab: 'API', groups: [{ group: 'API', openapi: 'openapi.json' }] },
        { tab: 'Graph', graphql: 'schema.graphql' },
      ],
    },
  }),
  'index.mdx':
    '---\ntitle: Words\n---\n\n## Using <name> here\n\n| Flag | Value |\n|---|---|\n| a | <file> |\n\nAn $x_1$ costs $5 or $10.\n',
  'bare.mdx': '---\ntitle: Bare\n---',
  'plain.md': '---\ntitle: Plain\n---\n\nRun with <your-api-key> or {slug}.\n\n```js my words\nx\n```\n',
  'code.mdx':
    '---\ntitle: Code\n---\n\nexport const Hi = () => <b>shown</b>\n\n<Hi />\n\nexport your data with care.\n\nexport const bad = ;\n',
  'openapi.json': JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'T', version: '1' },
    paths: Object.fromEntries(
      Object.entries(DESCRIPTIONS).map(([name, description]) => [
        `/${name}`,
        {
          get: {
            summary: `Op ${name}`,
            description,
            parameters: [{ name: 'q', in: 'query', description, schema: { type: 'string' } }],
            responses: { 200: { description: 'ok' } },
          },
        },
      ]),
    ),
  }),
  'schema.graphql': SCHEMA,
}

let folder = ''
let built: BuiltSite
const read = (path: string) => readFile(join(built.out, path), 'utf8')
const wordsOf = async (path: string) => wordsOfPage(await read(`${path}.html`)).join(' ')

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'octavo-words-'))
  await writeSite(folder, SITE)
  built = await buildSite(folder)
})
after(async () => {
  await built[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

test('text in angle brackets stays text with a hint, and is part of heading ids', async () => {
  const html = await read('index.html')
  assert.match(
    html,
    /<h2 id="using-name-here">Using &lt;name&gt; here|<h2 id="using-name-here">Using &lt;name> here/,
  )
  assert.match(html, /<td>&lt;file(?:>|&gt;)<\/td>/)
  assert.match(await wordsOf('plain'), /run with your api key or slug my words x/)
  const hints = built.problems.filter(({ code }) => code === 'mdx.angle_brackets')
  assert.deepEqual(
    hints.map(({ file, line, level }) => `${file}:${line} ${level}`),
    ['index.mdx:5 hint', 'index.mdx:9 hint', 'plain.md:5 hint'],
  )
})

test('single dollars delimit formulas, and prices stay text', async () => {
  const twin = await read('index.md')
  assert.match(await read('index.html'), /class="katex"/)
  assert.match(twin, /An \$x_1\$ costs \$5 or \$10\./)
})

test('a file that ends with its frontmatter renders an empty page', async () => {
  assert.doesNotMatch(await read('bare.html'), /<hr/)
  assert.equal(await read('bare.md'), '# Bare\n\n> Index of all pages for agents: [llms.txt](/llms.txt)\n')
})

test('prose that starts with export stays text, and the real exports of the page work', async () => {
  assert.equal(await wordsOf('code'), 'pages code shown export your data with care export const bad')
  assert.deepEqual(
    built.problems.filter(({ file }) => file === 'code.mdx').map(({ code, line }) => `${code}:${line}`),
    ['mdx.syntax:9', 'mdx.syntax:11'],
  )
})

test('API descriptions render in full, only a paragraph becomes the subtitle, and comments are dropped', async () => {
  const words: Record<string, string> = {
    heading: 'overview first sentence',
    list: 'one two behind',
    table: 'a b 1 2 behind',
    fence: 'curl x behind',
    html: 'all pets one two',
    quote: 'note this behind',
    comment: 'real first sentence second one',
  }
  for (const [name, expected] of Object.entries(words)) {
    const path = `api-reference/op-${name}`
    const text = await wordsOf(path)
    assert.ok(text.includes(`op ${name} `), text)
    // Occurs twice: below the title and at the parameter.
    assert.equal(text.split(expected).length, 3, `${expected} in ${text}`)
    const html = await read(`${path}.html`)
    const twin = await read(`${path}.md`)
    const isSubtitled = name === 'comment'
    assert.equal(/class="page-description"/.test(html), isSubtitled, name)
    assert.equal(/^> Real `first` sentence\.$/m.test(twin), isSubtitled, name)
    assert.equal(/<meta name="description" content="Real first sentence\."/.test(html), isSubtitled, name)
    for (const one of [html, twin, await read('llms.txt'), await read('llms-full.txt')])
      assert.doesNotMatch(one, /hidden words|# Overview<|: - one/)
  }
  const pets = await read('graphql-reference/queries/pets.md')
  assert.match(pets, /^> Gives a Promise<pet> and \{braces\}\.$/m)
  const pet = await read('graphql-reference/types/pet.md')
  assert.match(pet, /^- alpha\n- beta\n\nGamma +delta\.$/m)
  assert.doesNotMatch(pet, /^> (?!Index of all pages)|hidden/m)
  assert.match(await read('api-reference/op-table.html'), /<table[\s\S]*<td>1<\/td>/)
  assert.match(await read('api-reference/op-quote.html'), /<blockquote>/)
})
