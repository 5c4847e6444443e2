/** Pages generated from a GraphQL schema and from TypeDoc output, as readers see them. */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { readGraphql } from '../../src/site/reference/graphql-reference.ts'
import { readTypedoc } from '../../src/site/reference/typedoc-reference.ts'
import { type BuiltSite, buildSite } from '../kit/built-site.ts'
import { writeSite } from '../kit/site.ts'

const SCHEMA = `"An object with a stable {identifier}."
interface Node { id: ID! }
"""
A company, <b>large</b> or small.

export it, \`{{name}}\`.
"""
type Organization implements Node {
  id: ID!
  name(upper: Boolean = false): String! @deprecated(reason: "Use title.")
  parent: Organization
  kind: Kind!
  members(first: Int!): [Person!]!
}
type Person implements Node { id: ID! employer: Organization }
union Anybody = Organization | Person
enum Kind { SMALL LARGE @deprecated }
input NewPerson { name: String!, tags: [String!] = [] }
scalar Date
schema { query: Root mutation: Changes }
type Root { organization(id: ID!, at: Date): Organization, anybody: [Anybody!] }
extend type Root { later: Date }
type Changes { createPerson(input: NewPerson!): Person @deprecated(reason: "Ask <us>.") }
`

const reference = (name: string) => ({ type: 'reference', name })
const said = (text: string) => ({ summary: [{ kind: 'text', text }] })
const string = { type: 'intrinsic', name: 'string' }
const promise = { ...reference('Promise'), typeArguments: [reference('Answer')] }

const CLIENT = {
  kind: 128,
  name: 'Client',
  comment: {
    ...said('Calls {the} API.\n\nMore <words>.'),
    blockTags: [{ tag: '@example', content: [{ kind: 'text', text: 'new Client()' }] }],
  },
  extendedTypes: [reference('Base')],
  children: [
    {
      kind: 512,
      name: 'constructor',
      signatures: [
        {
          kind: 16384,
          parameters: [{ name: 'options', flags: { isOptional: true }, type: reference('Options') }],
          type: reference('Client'),
        },
      ],
    },
    { kind: 1024, name: 'region', flags: { isOptional: true }, type: { type: 'literal', value: 'eu' } },
    {
      kind: 2048,
      name: 'send',
      signatures: [
        {
          kind: 4096,
          comment: {
            ...said('Sends it.'),
            blockTags: [{ tag: '@returns', content: [{ kind: 'text', text: 'What came back.' }] }],
          },
          parameters: [{ name: 'body', type: { type: 'array', elementType: string } }],
          type: promise,
        },
      ],
    },
  ],
}
const DEPRECATED = {
  summary: [],
  blockTags: [{ tag: '@deprecated', content: [{ kind: 'text', text: 'Use Client.' }] }],
}
/** TypeDoc output, reduced to the relevant fields. */
const TYPEDOC = {
  kind: 1,
  name: 'acme',
  children: [
    CLIENT,
    { kind: 256, name: 'Options', children: [{ kind: 1024, name: 'url', type: string }] },
    { kind: 128, name: 'Base' },
    { kind: 2097152, name: 'Answer', type: { type: 'union', types: [string, reference('Base')] } },
    {
      kind: 64,
      name: 'connect',
      signatures: [{ kind: 4096, comment: DEPRECATED, type: reference('Client') }],
    },
    { kind: 8, name: 'Level', children: [{ kind: 16, name: 'Low', type: { type: 'literal', value: 1 } }] },
  ],
}

const LIBRARY = { format: 'typedoc', source: 'artifacts/typedoc.json' }
const FILES: Record<string, string> = {
  'docs.json': JSON.stringify({
    theme: 'mint',
    name: 'Acme',
    colors: { primary: '#5B5BD6' },
    navigation: {
      tabs: [
        { tab: 'Guides', groups: [{ group: 'Start', pages: ['index'] }] },
        { tab: 'GraphQL', graphql: { source: 'schema.graphql', directory: 'api/graphql' } },
        {
          tab: 'SDK',
          sdk: { ...LIBRARY, directory: 'sdk/ts' },
          groups: [{ group: 'Begin', pages: ['begin'] }],
        },
        {
          tab: 'One symbol',
          sdk: LIBRARY,
          groups: [{ group: 'Own', pages: ['client', 'method', 'nothing'] }],
        },
        { tab: 'Broken', graphql: 'broken.graphql' },
        { tab: 'Missing', graphql: 'gone.graphql' },
        { tab: 'Other', sdk: { format: 'sphinx', source: 'artifacts' } },
      ],
    },
  }),
  'schema.graphql': SCHEMA,
  'broken.graphql': 'type Root {',
  'artifacts/typedoc.json': JSON.stringify(TYPEDOC),
  'index.mdx': '---\ntitle: Home\n---\n\nText\n',
  'begin.mdx': '---\ntitle: Begin\n---\n\nText\n',
  'client.mdx': '---\nsdk: "class Client"\n---\n\nWords of the author.\n',
  'method.mdx': '---\ntitle: Send\nsdk: { kind: method, parent: Client, name: send }\n---\n',
  'nothing.mdx': '---\ntitle: None\nsdk: class Nobody\n---\n',
}

let site: BuiltSite
let folder: string

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'octavo-references-'))
  await writeSite(folder, FILES)
  site = await buildSite(folder, 'client-hosted')
})

after(async () => {
  await site?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const read = (path: string) => readFile(join(site.out, path), 'utf8')
/** Returns the visible text of a page, without spaces between tags. */
async function wordsOf(path: string): Promise<string> {
  const html = (await read(path)).replace(/<script[\s\S]*?<\/script>/g, '')
  const text = html.replace(/<[^>]*>/g, '').replace(/\s+/g, ' ')
  return text
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&')
}

test('a GraphQL schema gets a page for each query, mutation and type, with links between them', async () => {
  const query = await read('api/graphql/queries/organization.html')
  assert.match(query, /See <a[^>]*href="[^"]*types\/organization\.html"/)
  const words = await wordsOf('api/graphql/queries/organization.html')
  assert.match(words, /query Organization\(\$id: ID!, \$at: Date\)/)
  assert.match(words, /"organization": \{/)
  const type = await wordsOf('api/graphql/types/organization.html')
  assert.match(type, /A company, large or small\.|A company, <b>large<\/b> or small\./)
  assert.match(type, /Use title\./)
  assert.match(await read('api/graphql/types/node.html'), /, <a[^>]*href="[^"]*person\.html"/)
  const mutation = await wordsOf('api/graphql/mutations/create-person.html')
  assert.match(mutation, /Ask <us>/)
  for (const label of ['Queries', 'Mutations', 'Types']) assert.ok(mutation.includes(label), label)
  for (const page of ['queries/later', 'queries/anybody', 'types/anybody', 'types/kind', 'types/new-person'])
    await read(`api/graphql/${page}.html`)
  assert.match(await read('llms.txt'), /createPerson/)
})

test('TypeDoc output gets a page for each symbol, and an author page can show one symbol', async () => {
  const client = await wordsOf('sdk/ts/classes/client.html')
  assert.match(client, /class Client extends Base/)
  assert.match(client, /Calls \{the\} API\./)
  assert.match(client, /More <words>\./)
  assert.match(client, /new Client\(options\?: Options\)/)
  assert.match(client, /What came back\./)
  assert.match(await read('sdk/ts/classes/client.html'), /See <a[^>]*href="[^"]*interfaces\/options\.html"/)
  assert.match(await wordsOf('sdk/ts/functions/connect.html'), /Use Client\./)
  assert.match(await wordsOf('client.html'), /Words of the author\..*class Client extends Base/)
  assert.match(await read('client.html'), /<title>Client/)
  assert.match(await wordsOf('method.html'), /send\(body: string\[\]\): Promise<Answer>/)
  await assert.rejects(read('sdk-reference/classes/client.html'), /ENOENT/)
})

test('only references that yield no pages are reported, in the file that names them', () => {
  assert.deepEqual(site.problems.map(({ code, file }) => `${file} ${code}`).sort(), [
    'docs.json api.spec_missing',
    'docs.json reference.format',
    'docs.json reference.unreadable',
    'nothing.mdx frontmatter.sdk',
  ])
})

test('reads oversized and deeply nested API sources within limits', () => {
  const fields = Array.from({ length: 3000 }, (_, index) => `f${index}(a: In!): T${index % 50}`)
  const types = Array.from(
    { length: 50 },
    (_, index) => `type T${index} { ${fields.slice(0, 60).join(' ')} }`,
  )
  const large = readGraphql(`type Query { ${fields.join(' ')} } input In { next: In! } ${types.join(' ')}`)
  const longest = large.symbols.map((symbol) => symbol.renderBody(() => null).length)
  assert.ok(Math.max(...longest) < 200_000, String(Math.max(...longest)))
  let type: unknown = string
  for (let level = 0; level < 5000; level++) type = { type: 'array', elementType: type }
  const deep = JSON.stringify({ kind: 1, children: [{ kind: 2097152, name: 'Deep', type }] })
  assert.ok((readTypedoc(deep).symbols[0]?.renderBody(() => null) ?? '').length < 2000)
  assert.throws(() => readTypedoc('[]'), /TypeDoc/)
  assert.throws(() => readGraphql(`type A { f: ${'['.repeat(100_000)}`), /too deeply/)
  assert.throws(() => readGraphql(`"""${'\\"""'.repeat(100_000)}`), /not closed/)
  assert.throws(() => readGraphql('type A { f: "'), /line 1/)
})
