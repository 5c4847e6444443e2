import assert from 'node:assert/strict'
import test from 'node:test'
import { attributes, html } from '../html/template.ts'
import { fillSlots, slot, slottedText } from './slots.ts'

const LIST = slottedText(
  html`<a${slot('p0')}${attributes({ href: 'x' })}>A</a><details${slot('g0')}><a${slot('p1')}>B</a></details>`,
)

test('inserts values only at their slots', () => {
  const values = [
    ['p1', ' aria-current="page"'],
    ['g0', ' open'],
    ['unknown', '!'],
  ] as const
  assert.equal(
    fillSlots(LIST, new Map(values)),
    '<a href="x">A</a><details open><a aria-current="page">B</a></details>',
  )
})

test('filling slots leaves the original text unchanged', () => {
  fillSlots(LIST, new Map([['p0', ' x']]))
  assert.equal(LIST.text, '<a href="x">A</a><details><a>B</a></details>')
  assert.equal(fillSlots(LIST, new Map()), LIST.text)
})

test('throws if slotted text contains unresolved attributes', () => {
  assert.throws(() => slottedText(html`<a${attributes({ href: '/x' })}>`), /attributes/)
})
