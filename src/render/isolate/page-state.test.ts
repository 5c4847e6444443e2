import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGLISH } from '../words/ui-text.ts'
import { createPageState } from './page-state.ts'

test('a heading alias yields to a heading with the same id', () => {
  const state = createPageState({ token: 't', iconLibrary: 'lucide', hasAnchors: true, words: ENGLISH })
  const place = (text: string) => {
    const id = state.heading({ text, level: 2 })
    return [id, ...state.headingAliases(text, id)]
  }
  assert.deepEqual(place('What’s new'), ['what’s-new', 'whats-new'])
  assert.deepEqual(place('What’s new'), ['what’s-new-2'])
  assert.deepEqual(place('Install'), ['install'])
  assert.deepEqual(state.lostAliases(), [])
  assert.deepEqual(place('Whats new'), ['whats-new'])
  assert.deepEqual(state.lostAliases(), ['whats-new'])
})

test('a heading with underscores has an alias without them unless another heading uses it', () => {
  const state = createPageState({ token: 't', iconLibrary: 'lucide', hasAnchors: true, words: ENGLISH })
  const place = (text: string) => {
    const id = state.heading({ text, level: 3 })
    return [id, ...state.headingAliases(text, id)]
  }
  assert.deepEqual(place('_meta'), ['_meta', 'meta'])
  assert.deepEqual(place('__init__'), ['__init__', 'init'])
  assert.deepEqual(place('snake_case'), ['snake_case', 'snake-case'])
  assert.deepEqual(place('___'), ['___'])
  assert.deepEqual(place('Meta'), ['meta'])
  assert.deepEqual(state.lostAliases(), ['meta'])
})

test('a heading has an alias that keeps its punctuation', () => {
  const state = createPageState({ token: 't', iconLibrary: 'lucide', hasAnchors: true, words: ENGLISH })
  const aliases = (text: string) => state.headingAliases(text, state.heading({ text, level: 2 }))
  assert.deepEqual(aliases('Step 1: Install'), ['step-1:-install'])
  assert.deepEqual(aliases('Landing page + forms'), ['landing-page--forms', 'landing-page-+-forms'])
  assert.deepEqual(aliases('Install'), [])
})

test('a heading alias is assigned again after a rewind', () => {
  const state = createPageState({ token: 't', iconLibrary: 'lucide', hasAnchors: true, words: ENGLISH })
  const place = () => state.headingAliases('What’s new', state.heading({ text: 'What’s new', level: 2 }))
  const before = state.moment()
  assert.deepEqual(place(), ['whats-new'])
  state.rewind(before)
  assert.deepEqual(place(), ['whats-new'])
})
