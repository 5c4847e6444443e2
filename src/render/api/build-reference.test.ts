import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json, JsonObject } from '../../openapi/api-json.ts'
import type { ApiOperation } from '../../site/model.ts'
import type { SiteConfig } from '../../site/settings/config.ts'
import { pickApiTexts } from '../words/api-texts.ts'
import { uiText } from '../words/ui-text.ts'
import { buildReference } from './build-reference.ts'
import type { ApiBlock, ApiField, ApiReference, DescribedReference } from './reference.ts'

const SETTINGS: SiteConfig['api'] = {
  playground: 'interactive',
  proxy: true,
  credentials: false,
  isExpanded: false,
  pills: ['x-audience'],
  hasFullUrl: false,
  examples: { languages: ['bash', 'python'], isRequiredOnly: false, isPrefilled: false, isGenerated: true },
  baseUrls: [],
  authMethod: null,
  authName: null,
}
const WORDS = pickApiTexts(uiText('en'))

async function referenceOf(
  root: JsonObject,
  page: Partial<ApiOperation> = {},
  settings: Partial<SiteConfig['api']> = {},
  shown = '',
): Promise<DescribedReference> {
  const operation: ApiOperation = {
    spec: 'api.json',
    method: 'POST',
    path: '/things/{id}',
    summary: null,
    description: null,
    tags: [],
    ...page,
  }
  const kind = root.asyncapi === undefined ? 'openapi' : 'asyncapi'
  const made = await buildReference({
    document: { kind, root, faults: [] },
    operation,
    settings: { ...SETTINGS, ...settings },
    words: WORDS,
    shown,
  })
  assert.ok(made)
  return made
}

function describing(operation: JsonObject, more: JsonObject = {}): JsonObject {
  return { openapi: '3.1.0', paths: { '/things/{id}': { post: operation } }, ...more }
}

function fieldsIn(blocks: readonly ApiBlock[]): ApiField[] {
  return blocks.flatMap((block) => {
    if (block.kind === 'fields') return block.fields.flatMap((field) => [field, ...fieldsIn(field.blocks)])
    if (block.kind === 'choice') return block.choices.flatMap((choice) => fieldsIn(choice.blocks))
    return block.kind === 'details' ? fieldsIn(block.blocks) : []
  })
}

const headings = (blocks: readonly ApiBlock[]) =>
  blocks.flatMap((block) => (block.kind === 'heading' ? [block.text] : []))
const json = (schema: Json) => ({ content: { 'application/json': { schema } } })

test('merges path-level with operation parameters and groups them by location', async () => {
  const root: JsonObject = {
    openapi: '3.0.0',
    paths: {
      '/things/{id}': {
        parameters: [
          { name: 'id', in: 'path', schema: { type: 'string' } },
          { name: 'q', in: 'query', description: 'old', schema: { type: 'string' } },
        ],
        post: {
          parameters: [
            { name: 'X-One', in: 'header', schema: { type: 'string' } },
            { name: 'q', in: 'query', description: 'new', schema: { type: 'string' } },
          ],
        },
      },
    },
  }
  const { blocks } = await referenceOf(root)
  assert.deepEqual(headings(blocks), ['Path parameters', 'Query parameters', 'Header parameters'])
  const fields = fieldsIn(blocks)
  assert.deepEqual(
    fields.map(({ id, isRequired, description }) => [id, isRequired, description]),
    [
      ['parameter-id', true, ''],
      ['parameter-q', false, 'new'],
      ['parameter-x-one', false, ''],
    ],
  )
})

test('shows every constraint and annotation of a schema', async () => {
  const properties: JsonObject = {
    a: { type: 'integer', minimum: 1, maximum: 9, multipleOf: 2, default: 4, 'x-audience': 'internal' },
    b: { type: 'number', exclusiveMinimum: 0, readOnly: true, deprecated: true },
    c: { type: 'string', minLength: 2, maxLength: 2, pattern: '^x', examples: ['xy', 'xz'] },
    d: { type: 'array', minItems: 1, uniqueItems: true, items: { type: 'string', enum: ['m', 'n'] } },
    e: { const: 'fixed', 'x-mint': { pre: ['new'], post: ['beta'] } },
    f: { enum: ['s', 't'], 'x-enumDescriptions': { s: 'Small' } },
    g: { type: 'integer', minimum: 0, exclusiveMinimum: true, not: { enum: [7] } },
    h: { type: 'string', default: 'x'.repeat(80) },
  }
  const { blocks } = await referenceOf(
    describing({ requestBody: json({ type: 'object', required: ['a'], properties }) }),
  )
  const byName = new Map(fieldsIn(blocks).map((field) => [field.name, field]))
  const facts = (name: string) =>
    byName
      .get(name)
      ?.facts.map(
        ({ label, values }) => `${label}: ${values.map(({ text, note }) => text + note).join(', ')}`,
      )
  assert.deepEqual(facts('a'), ['Range: 1 ≤ x ≤ 9', 'Multiple of: 2'])
  assert.deepEqual(
    [byName.get('a')?.initial, byName.get('a')?.pills, byName.get('a')?.isRequired],
    ['4', ['internal'], true],
  )
  assert.deepEqual(facts('b'), ['Range: x > 0'])
  assert.deepEqual([byName.get('b')?.pills, byName.get('b')?.isDeprecated], [['read-only'], true])
  assert.deepEqual(facts('c'), ['Length: 2', 'Pattern: ^x', 'Examples: xy, xz'])
  assert.deepEqual(facts('d'), ['Items: ≥ 1', 'Items: all different', 'Options: m, n'])
  assert.deepEqual(
    [facts('e'), byName.get('e')?.before, byName.get('e')?.pills],
    [['Always: fixed'], ['new'], ['beta']],
  )
  assert.deepEqual(facts('f'), ['Options: sSmall, t'])
  assert.deepEqual(facts('g'), ['Range: x > 0', 'Not: [7]'])
  assert.match(facts('h')?.[0] ?? '', /^default: x{80}$/)
})

test('renders nested models, variants and maps as a tree and links circular references to their origin', async () => {
  const schemas: JsonObject = {
    Node: {
      type: 'object',
      properties: { name: { type: 'string' }, next: { $ref: '#/components/schemas/Node' } },
    },
    Cat: { type: 'object', properties: { kind: { const: 'cat' }, lives: { type: 'integer' } } },
    Dog: { type: 'object', title: 'A dog', properties: { kind: { const: 'dog' } } },
  }
  const body: JsonObject = {
    type: 'object',
    properties: {
      node: { $ref: '#/components/schemas/Node' },
      pet: {
        oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
        discriminator: { propertyName: 'kind' },
      },
      tags: { type: 'object', additionalProperties: { type: 'string' } },
      either: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
    },
  }
  const { blocks } = await referenceOf(describing({ requestBody: json(body) }, { components: { schemas } }))
  const byId = new Map(fieldsIn(blocks).map((field) => [field.id, field]))
  assert.deepEqual(byId.get('body-node-next')?.same, { id: 'body-node', name: 'Node' })
  const choice = byId.get('body-pet')?.blocks[0]
  assert.ok(choice?.kind === 'choice')
  assert.deepEqual(
    [choice.label, choice.choices.map(({ title }) => title)],
    ['One of · kind', ['cat', 'A dog']],
  )
  assert.deepEqual(byId.get('body-pet-one-of-0-lives')?.others, ['body-pet-cat-lives'])
  assert.equal(byId.get('body-tags')?.blocks[0]?.kind, 'fields')
  assert.deepEqual([byId.get('body-either')?.type, byId.get('body-either')?.blocks], ['string | integer', []])
})

test('security requirements are alternatives and an empty list requires none', async () => {
  const components = {
    securitySchemes: {
      token: { type: 'http', scheme: 'bearer' },
      key: { type: 'apiKey', in: 'query', name: 'key', description: 'Yours', 'x-default': 'demo' },
      login: {
        type: 'oauth2',
        flows: { implicit: { authorizationUrl: 'https://a.b', scopes: { read: 'Reads', all: 'All' } } },
      },
    },
  }
  const root = (security: Json, own?: Json) =>
    describing(own === undefined ? {} : { security: own }, { security, components })
  const several = await referenceOf(root([{ token: [] }, { key: [], login: ['read'] }, {}]))
  const choice = several.blocks[1]
  assert.ok(choice?.kind === 'choice')
  assert.deepEqual(
    choice.choices.map(({ title }) => title),
    ['token', 'key + login', 'None'],
  )
  const login = fieldsIn(several.blocks).find((field) => field.facts.some(({ label }) => label === 'Scopes'))
  assert.deepEqual(login?.facts.at(-1)?.values, [{ text: 'read', note: 'Reads' }])
  assert.match(several.request?.samples[0]?.code ?? '', /--header 'Authorization: Bearer <token>'/)
  const byKey = await referenceOf(root([{ key: [] }]))
  assert.match(byKey.request?.samples[0]?.code ?? '', /\?key=demo'/)
  assert.deepEqual(headings((await referenceOf(root([{ token: [] }], []))).blocks), [])
})

test('generates code samples from servers, parameters and examples and follows the settings', async () => {
  const root = describing(
    {
      parameters: [
        { name: 'id', in: 'path', required: true, example: 'a/b', schema: { type: 'string' } },
        { name: 'page', in: 'query', schema: { type: 'integer', default: 2 } },
        { name: 'unknown', in: 'query', schema: { type: 'string' } },
      ],
      requestBody: json({
        type: 'object',
        required: ['a'],
        properties: { a: { type: 'string' }, b: { type: 'boolean' } },
      }),
      'x-codeSamples': [
        { lang: 'Python', source: 'print(1)' },
        { lang: 'bash', label: 'CLI', source: 'tool run' },
      ],
    },
    { servers: [{ url: 'https://{region}.x.y/', variables: { region: { default: 'eu' } } }] },
  )
  const titles = (made: Pick<ApiReference, 'request'>) =>
    made.request?.samples.map(({ title, name }) => [title, name])
  const own = await referenceOf(root, {}, { examples: { ...SETTINGS.examples, languages: ['bash', 'go'] } })
  assert.deepEqual(titles(own), [
    ['Python', ''],
    ['cURL', 'CLI'],
    ['Go', ''],
  ])
  const alone = await referenceOf(root, {}, { examples: { ...SETTINGS.examples, isGenerated: false } })
  assert.deepEqual(titles(alone), [
    ['Python', ''],
    ['cURL', 'CLI'],
  ])
  const { post, ...rest } = (root.paths as JsonObject)['/things/{id}'] as JsonObject
  const { 'x-codeSamples': _, ...plain } = post as JsonObject
  const bare: JsonObject = { ...root, paths: { '/things/{id}': { ...rest, post: plain } } }
  const curl = (await referenceOf(bare)).request?.samples[0]?.code ?? ''
  assert.match(curl, /--url 'https:\/\/eu\.x\.y\/things\/a%2Fb\?page=2'/)
  assert.match(curl, /"b": true/)
  const lean = await referenceOf(bare, {}, { examples: { ...SETTINGS.examples, isRequiredOnly: true } })
  assert.doesNotMatch(lean.request?.samples[0]?.code ?? '', /page=|"b"/)
})

test('groups responses by status with headers, media types, examples and links', async () => {
  const { blocks, responses } = await referenceOf(
    describing({
      responses: {
        200: {
          description: 'Done',
          headers: { 'X-Left': { description: 'How many are left', schema: { type: 'integer' } } },
          content: {
            'application/json': {
              schema: { type: 'object', properties: { ok: { type: 'boolean' } } },
              examples: { one: { summary: 'First', value: { ok: true } }, two: { value: { ok: false } } },
            },
            'text/csv': { example: 'a,b' },
          },
          links: { Next: { operationId: 'next', description: 'Go on' } },
        },
        default: { description: 'Failed' },
      },
    }),
  )
  const choice = blocks.find((block) => block.kind === 'choice')
  assert.ok(choice?.kind === 'choice' && choice.isStatus)
  assert.deepEqual(
    choice.choices.map(({ title }) => title),
    ['200', 'default'],
  )
  assert.deepEqual(
    choice.choices[0]?.blocks.map(({ kind }) => kind),
    ['prose', 'details', 'choice', 'details'],
  )
  assert.deepEqual(
    responses?.samples.map(({ title, name, code }) => [title, name, code.replace(/\s+/g, '')]),
    [
      ['200', 'application/json · First', '{"ok":true}'],
      ['200', 'application/json · two', '{"ok":false}'],
      ['200', 'text/csv', 'a,b'],
    ],
  )
})

test('a webhook shows a sample of its body and no request', async () => {
  const root: JsonObject = {
    openapi: '3.1.0',
    webhooks: {
      paid: { post: { requestBody: json({ type: 'object', properties: { id: { type: 'string' } } }) } },
    },
  }
  const made = await referenceOf(root, { method: 'WEBHOOK', path: 'paid' })
  assert.equal(made.request, null)
  assert.equal(made.bodies?.samples.length, 1)
})

test('AsyncAPI 2 and 3 channels show what clients send and receive', async () => {
  const second: JsonObject = {
    asyncapi: '2.6.0',
    servers: { live: { url: 'wss://x.y', protocol: 'wss' } },
    channels: {
      room: {
        publish: {
          summary: 'Speak',
          message: { name: 'said', payload: { type: 'object', properties: { text: { type: 'string' } } } },
        },
        subscribe: { message: { oneOf: [{ name: 'said' }, { name: 'left' }] } },
        bindings: { ws: { method: 'GET' } },
      },
    },
  }
  const two = await referenceOf(second, { method: 'CHANNEL', path: 'room' })
  assert.deepEqual(headings(two.blocks), ['Server', 'Send', 'Receive'])
  assert.equal(two.blocks.at(-1)?.kind, 'details')
  const third: JsonObject = {
    asyncapi: '3.0.0',
    channels: { room: { address: 'rooms/{id}', messages: { said: { payload: { type: 'string' } } } } },
    operations: {
      hear: { action: 'send', channel: { $ref: '#/channels/room' } },
      speak: {
        action: 'receive',
        channel: { $ref: '#/channels/room' },
        reply: { messages: [{ $ref: '#/channels/room/messages/said' }] },
      },
      other: { action: 'send', channel: { $ref: '#/channels/none' } },
    },
  }
  const three = await referenceOf(third, { method: 'CHANNEL', path: 'room' })
  assert.deepEqual(headings(three.blocks), ['Receive', 'Send', 'Reply'])
  assert.deepEqual(
    three.bodies?.samples.map(({ title, code }) => [title, code]),
    [['said', '"<string>"']],
  )
})

test('invalid parts of a description do not affect the rest', async () => {
  const root = describing({
    parameters: [null, 3, { name: 'x', in: 'query', schema: { type: 4, enum: 'no', properties: [] } }],
    requestBody: { content: { 'application/json': { schema: { properties: { a: null, b: [], c: 'x' } } } } },
    responses: { 200: null, 201: { headers: [], content: 'x', links: 3 } },
    callbacks: { on: null },
    security: 'none',
  } as unknown as JsonObject)
  const { blocks } = await referenceOf(root)
  assert.deepEqual(headings(blocks), ['Query parameters', 'Body', 'Responses'])
})

test('does not repeat the beginning of the description that is shown below the title', async () => {
  const description = 'First words.\n\nMore words.'
  const { blocks } = await referenceOf(describing({}), { description }, {}, 'First words.')
  assert.deepEqual(blocks, [{ kind: 'prose', markdown: 'More words.' }])
})
