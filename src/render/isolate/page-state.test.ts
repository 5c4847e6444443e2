import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGLISH } from '../words/ui-text.ts'
import { createPageState } from './page-state.ts'

test('an alias of a heading gives way to a heading that is called so', () => {
  const state = createPageState({ token: 't', iconLibrary: 'lucide', hasAnchors: true, words: ENGLISH })
  const place = (text: string) => {
    const id = state.heading({ text, level: 2 })
    return [id, state.headingAlias(text, id)]
  }
  assert.deepEqual(place('What’s new'), ['what’s-new', 'whats-new'])
  assert.deepEqual(place('What’s new'), ['what’s-new-2', null])
  assert.deepEqual(place('Install'), ['install', null])
  assert.deepEqual(state.lostAliases(), [])
  assert.deepEqual(place('Whats new'), ['whats-new', null])
  assert.deepEqual(state.lostAliases(), ['whats-new'])
})

test('an alias of a heading that is drawn anew is given again', () => {
  const state = createPageState({ token: 't', iconLibrary: 'lucide', hasAnchors: true, words: ENGLISH })
  const place = () => state.headingAlias('What’s new', state.heading({ text: 'What’s new', level: 2 }))
  const before = state.moment()
  assert.equal(place(), 'whats-new')
  state.rewind(before)
  assert.equal(place(), 'whats-new')
})
