import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSrcset, rewriteSrcset } from './srcset.ts'

test('finds the URLs of a srcset in every notation', () => {
  const urls = (value: string) => readSrcset(value).map(({ url }) => url)
  assert.deepEqual(urls('/a.png 1x,https://x.example/b.png 2x'), ['/a.png', 'https://x.example/b.png'])
  assert.deepEqual(urls(' /a.png,  /b.png 2x , '), ['/a.png', '/b.png'])
  assert.deepEqual(urls('data:image/png;base64,AAAA 1x, /a,b.png\n480w'), [
    'data:image/png;base64,AAAA',
    '/a,b.png',
  ])
  assert.deepEqual(urls(' ,, '), [])
})

test('rewriting a srcset keeps its descriptors', () => {
  assert.equal(
    rewriteSrcset('/a.png 1x,/b.png  2x, /c.png', (url) => `..${url}`),
    '../a.png 1x, ../b.png 2x, ../c.png',
  )
})

test('parses a long list of commas in linear time', () => {
  assert.equal(readSrcset(', '.repeat(200_000)).length, 0)
  assert.equal(readSrcset('a, '.repeat(100_000)).length, 100_000)
})
