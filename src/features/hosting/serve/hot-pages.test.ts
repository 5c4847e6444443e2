import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRecentResponses } from './hot-pages.ts'

function database() {
  let time = 0
  const asked: string[] = []
  const state: { answer: () => Promise<string | null | undefined> } = { answer: async () => 'one' }
  const answers = createRecentResponses<string | null>(
    (host) => {
      asked.push(host)
      return state.answer()
    },
    () => time,
  )
  return { answers, asked, state, pass: (ms: number) => (time += ms) }
}

test('concurrent lookups, and those shortly after, share one query', async () => {
  const { answers, asked, pass } = database()
  const found = await Promise.all(Array.from({ length: 100 }, () => answers.find('a.example.com')))
  assert.deepEqual(new Set(found), new Set(['one']))
  pass(49)
  assert.equal(await answers.find('a.example.com'), 'one')
  assert.deepEqual(answers.known('a.example.com'), 'one')
  assert.equal(asked.length, 1)
})

test('a change is served after 100 ms at most, and earlier while requests arrive', async () => {
  const { answers, state, pass } = database()
  await answers.find('a.example.com')
  state.answer = async () => 'two'
  pass(60)
  assert.equal(await answers.find('a.example.com'), 'one')
  await new Promise(setImmediate)
  assert.equal(await answers.find('a.example.com'), 'two')
  state.answer = async () => undefined
  pass(101)
  assert.equal(answers.known('a.example.com'), undefined)
  assert.equal(await answers.find('a.example.com'), undefined)
})

test('serves the last known response while the database is down and queries it once a second', async () => {
  const { answers, asked, state, pass } = database()
  await answers.find('a.example.com')
  state.answer = () => Promise.reject(new Error('away'))
  pass(500)
  assert.equal(await answers.find('a.example.com'), 'one')
  for (let i = 0; i < 20; i++) {
    pass(100)
    assert.equal(await answers.find('a.example.com'), 'one')
    await new Promise(setImmediate)
  }
  assert.ok(asked.length >= 3 && asked.length <= 4, `${asked.length} questions in two seconds`)
  state.answer = async () => 'two'
  pass(1000)
  await answers.find('a.example.com')
  await new Promise(setImmediate)
  assert.equal(await answers.find('a.example.com'), 'two')
  state.answer = () => Promise.reject(new Error('away'))
  await assert.rejects(answers.find('b.example.com'), /away/)
})

test('a query that never settles delays one caller briefly and later callers not at all', async () => {
  const { answers, state, pass } = database()
  await answers.find('a.example.com')
  state.answer = () => new Promise(() => {})
  pass(500)
  assert.equal(await answers.find('a.example.com'), 'one')
  assert.equal(answers.known('a.example.com'), 'one')
})

test('lookups of many or long unknown host names do not evict a known site', async () => {
  const { answers, asked, state, pass } = database()
  await answers.find('a.example.com')
  state.answer = async () => undefined
  for (let i = 0; i < 20_000; i++) await answers.find(`${i}.example.org`)
  assert.equal(await answers.find(`${'a'.repeat(300)}.example.org`), undefined)
  assert.equal(asked.length, 20_001)
  state.answer = () => Promise.reject(new Error('away'))
  pass(500)
  assert.equal(await answers.find('a.example.com'), 'one')
})
