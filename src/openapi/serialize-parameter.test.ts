import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FormValue } from './form-value.ts'
import type { PlaygroundParameter } from './playground-data.ts'
import {
  serializeCookieParts,
  serializeHeader,
  serializePathPart,
  serializeQueryParts,
} from './serialize-parameter.ts'

const LIST = ['blue', 'black', 'brown']
const COLOURS = { R: 100, G: 200, B: 150 }

function parameter(more: Partial<PlaygroundParameter>): PlaygroundParameter {
  return {
    name: 'color',
    place: 'query',
    isRequired: false,
    isDeprecated: false,
    description: '',
    schema: {},
    style: null,
    explode: null,
    allowsReserved: false,
    mediaType: null,
    example: null,
    ...more,
  }
}

/** Style examples from the table in the OpenAPI specification, version 3.1. */
const PATHS: [style: string, explode: boolean, text: string, list: string, fields: string][] = [
  ['simple', false, 'blue', 'blue,black,brown', 'R,100,G,200,B,150'],
  ['simple', true, 'blue', 'blue,black,brown', 'R=100,G=200,B=150'],
  ['label', false, '.blue', '.blue,black,brown', '.R,100,G,200,B,150'],
  ['label', true, '.blue', '.blue.black.brown', '.R=100.G=200.B=150'],
  ['matrix', false, ';color=blue', ';color=blue,black,brown', ';color=R,100,G,200,B,150'],
  ['matrix', true, ';color=blue', ';color=blue;color=black;color=brown', ';R=100;G=200;B=150'],
]
const QUERIES: [style: string, explode: boolean, list: string, fields: string][] = [
  ['form', false, 'color=blue,black,brown', 'color=R,100,G,200,B,150'],
  ['form', true, 'color=blue&color=black&color=brown', 'R=100&G=200&B=150'],
  ['spaceDelimited', false, 'color=blue%20black%20brown', 'color=R%20100%20G%20200%20B%20150'],
  ['pipeDelimited', false, 'color=blue%7Cblack%7Cbrown', 'color=R%7C100%7CG%7C200%7CB%7C150'],
  [
    'deepObject',
    true,
    'color=blue&color=black&color=brown',
    'color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150',
  ],
]

test('path parameters follow the style table of the OpenAPI specification', () => {
  for (const [style, explode, text, list, fields] of PATHS) {
    const one = parameter({ place: 'path', style, explode })
    const written = ['blue', LIST, COLOURS].map((value) => serializePathPart(one, value))
    assert.deepEqual(written, [text, list, fields], `${style} ${explode}`)
  }
})

test('query parameters follow the style table of the OpenAPI specification', () => {
  for (const [style, explode, list, fields] of QUERIES) {
    const one = parameter({ style, explode })
    const written = [LIST, COLOURS].map((value) => serializeQueryParts(one, value).join('&'))
    assert.deepEqual(written, [list, fields], `${style} ${explode}`)
  }
  assert.deepEqual(serializeQueryParts(parameter({}), LIST), ['color=blue', 'color=black', 'color=brown'])
})

test('nested fields of a deepObject keep their path', () => {
  const value = { range: { from: 1, to: [2, 3] } }
  const written = serializeQueryParts(parameter({ style: 'deepObject' }), value).map(decodeURIComponent)
  assert.deepEqual(written, ['color[range][from]=1', 'color[range][to]=2', 'color[range][to]=3'])
})

test('header and cookie parameters are serialized without percent-encoding', () => {
  const header = parameter({ place: 'header' })
  assert.deepEqual(
    ['a b', LIST, COLOURS].map((value) => serializeHeader(header, value)),
    ['a b', 'blue,black,brown', 'R,100,G,200,B,150'],
  )
  assert.equal(serializeHeader({ ...header, explode: true }, COLOURS), 'R=100,G=200,B=150')
  assert.deepEqual(serializeCookieParts(parameter({ place: 'cookie', explode: false }), LIST), [
    'color=blue,black,brown',
  ])
})

test('parameter values cannot break out of their URL component', () => {
  const hostile = 'a/b?c=d&e#f[g]+%20é\ud800'
  assert.equal(
    new URL(`https://h/${serializePathPart(parameter({ place: 'path' }), hostile)}`).pathname.split('/')
      .length,
    2,
  )
  for (const allowsReserved of [false, true]) {
    const query = serializeQueryParts(parameter({ allowsReserved }), hostile).join('&')
    assert.deepEqual([...new URL(`https://h/?${query}`).searchParams], [['color', hostile.toWellFormed()]])
  }
  assert.equal(serializeQueryParts(parameter({ allowsReserved: true }), 'a/b:c')[0], 'color=a/b:c')
})

test('omits undefined, null and empty collections and sends false, zero and empty strings', () => {
  const values: [FormValue, string[]][] = [
    [undefined, []],
    [null, []],
    [[], []],
    [{}, []],
    [false, ['color=false']],
    [0, ['color=0']],
    ['', ['color=']],
  ]
  for (const [value, parts] of values) assert.deepEqual(serializeQueryParts(parameter({}), value), parts)
})

test('a parameter with a media type is serialized in that media type', () => {
  const one = parameter({ mediaType: 'application/json' })
  assert.equal(decodeURIComponent(serializeQueryParts(one, { a: [1] })[0] ?? ''), 'color={"a":[1]}')
  const whole = parameter({ place: 'querystring', mediaType: 'application/x-www-form-urlencoded' })
  assert.deepEqual(serializeQueryParts(whole, { a: 'x y', b: 2 }), ['a=x+y&b=2'])
})
