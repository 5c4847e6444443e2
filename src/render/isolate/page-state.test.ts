import assert from 'node:assert/strict'
import { test } from 'node:test'
import { COMPONENT_WORDS } from '../words/languages/en.ts'
import { createPageState } from './page-state.ts'

const options = { token: 't', iconLibrary: 'lucide', hasAnchors: true, words: COMPONENT_WORDS } as const

test('ids are unique over headings and other anchors of a page', () => {
  const state = createPageState(options)
  assert.equal(state.heading({ text: 'Setup', level: 2 }), 'setup')
  assert.equal(state.anchor('Setup'), 'setup-2')
  assert.equal(state.heading({ text: 'Setup', level: 3 }), 'setup-3')
  assert.equal(state.heading({ text: 'Other', level: 2, id: 'My_Id' }), 'My_Id')
  assert.equal(state.heading({ text: '!!!', level: 2 }), 'section')
})

test('rewinding forgets headings and frees their ids', () => {
  const state = createPageState(options)
  state.heading({ text: 'A', level: 2 })
  const moment = state.moment()
  state.heading({ text: 'B', level: 2 })
  state.code('x', { language: 'js', highlight: [], focus: [], lines: false })
  state.rewind(moment)
  assert.deepEqual(
    state.headings.map((heading) => heading.id),
    ['a'],
  )
  assert.equal(state.codes.length, 0)
  assert.equal(state.heading({ text: 'B', level: 2 }), 'b')
})
