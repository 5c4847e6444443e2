import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type BodyValue, buildRequest, toFetchBody, toSampleRequest } from './build-request.ts'
import { resolveCredential } from './credentials.ts'
import type { PlaygroundBody, PlaygroundData } from './playground-data.ts'

const DATA: PlaygroundData = {
  id: 'x',
  method: 'POST',
  path: '/a/{id}',
  servers: [{ url: 'https://api.example.com/v1', description: '', variables: [] }],
  parameters: [
    {
      name: 'id',
      place: 'path',
      isRequired: true,
      isDeprecated: false,
      description: '',
      schema: {},
      style: null,
      explode: null,
      allowsReserved: false,
      mediaType: null,
      example: null,
    },
  ],
  bodies: [],
  isBodyRequired: false,
  messages: null,
  ways: [],
  defs: {},
  languages: [],
  isPrefilled: false,
  isRequiredOnly: false,
  sendsCookies: false,
}

function media(type: string, more: Partial<PlaygroundBody> = {}): PlaygroundBody {
  return { type, schema: {}, example: null, text: null, encoding: {}, ...more }
}

function build(body: PlaygroundBody, value: BodyValue) {
  return buildRequest(DATA, {
    server: 'https://api.example.com/v1/',
    parameters: { 'path id': 'a b' },
    body: { media: body, value },
    credentials: [],
  })
}

const VALUE = { name: 'Ada', tags: ['x', 'y'], address: { city: 'B' }, none: undefined, zero: 0, empty: null }

test('JSON bodies contain the given fields, including null, and omit undefined ones', () => {
  const request = build(media('application/vnd.api+json'), { kind: 'value', value: VALUE })
  assert.equal(request.url, 'https://api.example.com/v1/a/a%20b')
  assert.deepEqual(request.headers, [['Content-Type', 'application/vnd.api+json']])
  assert.deepEqual(JSON.parse(toFetchBody(request.body ?? assert.fail()) as string), {
    name: 'Ada',
    tags: ['x', 'y'],
    address: { city: 'B' },
    zero: 0,
    empty: null,
  })
})

test('form bodies repeat array fields and write objects as JSON unless an encoding is declared', () => {
  const plain = build(media('application/x-www-form-urlencoded'), { kind: 'value', value: VALUE })
  assert.equal(
    String(toFetchBody(plain.body ?? assert.fail())),
    'name=Ada&tags=x&tags=y&address=%7B%22city%22%3A%22B%22%7D&zero=0',
  )
  const encoding = {
    tags: { contentType: null, style: 'form', explode: false },
    address: { contentType: null, style: 'deepObject', explode: true },
  }
  const styled = build(media('application/x-www-form-urlencoded', { encoding }), {
    kind: 'value',
    value: VALUE,
  })
  assert.equal(
    String(toFetchBody(styled.body ?? assert.fail())),
    'name=Ada&tags=x%2Cy&address%5Bcity%5D=B&zero=0',
  )
})

test('multipart bodies keep file names, send objects as JSON and set no Content-Type header', async () => {
  const file = new File(['hello'], 'a.txt', { type: 'text/plain' })
  const request = build(media('multipart/form-data'), { kind: 'value', value: { ...VALUE, file } })
  assert.deepEqual(request.headers, [], 'the boundary is the browser’s')
  const form = toFetchBody(request.body ?? assert.fail()) as FormData
  assert.deepEqual(form.getAll('tags'), ['x', 'y'])
  assert.equal((form.get('file') as File).name, 'a.txt')
  const address = form.get('address') as File
  assert.equal(address.type, 'application/json')
  assert.equal(await address.text(), '{"city":"B"}')
  assert.equal(form.has('none'), false)
})

test('a multipart part has the declared content type, or the type of its file if allowed', () => {
  const encoding = (contentType: string) => ({ file: { contentType, style: null, explode: null } })
  const sentType = (allowed: string, own: string) => {
    const file = new File(['x'], 'x', { type: own })
    const request = build(media('multipart/form-data', { encoding: encoding(allowed) }), {
      kind: 'value',
      value: { file },
    })
    const form = toFetchBody(request.body ?? assert.fail()) as FormData
    return (form.get('file') as File).type
  }
  assert.equal(sentType('image/png, image/jpeg', 'image/jpeg'), 'image/jpeg')
  assert.equal(sentType('image/*', 'image/webp'), 'image/webp')
  assert.equal(sentType('image/png, image/jpeg', 'text/plain'), 'image/png')
})

test('text and file bodies are sent unchanged', () => {
  const text = build(media('application/xml'), { kind: 'text', text: '<a/>' })
  assert.deepEqual(
    [text.headers, toFetchBody(text.body ?? assert.fail())],
    [[['Content-Type', 'application/xml']], '<a/>'],
  )
  const file = new Blob(['x'])
  assert.equal(toFetchBody(build(media('image/png'), { kind: 'file', file }).body ?? assert.fail()), file)
  assert.equal(build(media('image/png'), { kind: 'file', file: null }).body, null)
})

test('missing required parameters and bodies are listed and the sample URL keeps the placeholder', () => {
  const request = buildRequest(
    { ...DATA, bodies: [media('application/json')], isBodyRequired: true },
    { server: 'https://h', parameters: {}, body: null, credentials: [] },
  )
  assert.deepEqual(request.missing, ['path id', 'body'])
  assert.match(toSampleRequest(request).url, /\{id\}/)
})

test('credentials are sent in the header, query or cookie their security scheme declares', () => {
  const about = { name: 's', description: '' }
  const sent = [
    resolveCredential({ ...about, kind: 'bearer', initial: '' }, { token: 'Bearer t' }),
    resolveCredential({ ...about, kind: 'basic', initial: '' }, { username: 'ü', password: 'p:w' }),
    resolveCredential(
      { ...about, kind: 'key', place: 'query', parameter: 'k', initial: '' },
      { token: 'a&b' },
    ),
    resolveCredential(
      { ...about, kind: 'key', place: 'cookie', parameter: 'c', initial: '' },
      { token: 'v' },
    ),
    resolveCredential({ ...about, kind: 'other', scheme: 'DPoP' }, { token: 'x' }),
    resolveCredential({ ...about, kind: 'bearer', initial: '' }, {}),
  ]
  assert.deepEqual(
    sent.map((one) => one.sent && `${one.sent.place} ${one.sent.name} ${one.sent.value}`),
    [
      'header Authorization Bearer t',
      `header Authorization Basic ${Buffer.from('ü:p:w').toString('base64')}`,
      'query k a&b',
      'cookie c v',
      'header Authorization DPoP x',
      null,
    ],
  )
  const request = buildRequest(DATA, {
    server: 'https://h',
    parameters: { 'path id': 1 },
    body: null,
    credentials: sent.flatMap((one) => one.sent ?? []).slice(1, 4),
  })
  assert.equal(request.url, 'https://h/a/1?k=a%26b')
  assert.deepEqual(request.cookies, ['c=v'])
  assert.deepEqual(request.headers.length, 1)
})
