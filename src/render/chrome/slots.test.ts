import assert from 'node:assert/strict'
import test from 'node:test'
import { fillSlots, readSlots, slot } from './slots.ts'

test('values are inserted where their slots were and nowhere else', () => {
  const slotted = readSlots(
    `<a${slot('p0')} href="x">A</a><details${slot('g0')}><a${slot('p1')}>B</a></details>`,
  )
  assert.equal(slotted.html, '<a href="x">A</a><details><a>B</a></details>')
  const filled = fillSlots(
    slotted,
    new Map([
      ['p1', ' aria-current="page"'],
      ['g0', ' open'],
      ['unknown', '!'],
    ]),
  )
  assert.equal(filled, '<a href="x">A</a><details open><a aria-current="page">B</a></details>')
})

test('filling leaves the kept HTML as it was', () => {
  const slotted = readSlots(`<i${slot('a')}></i>`)
  fillSlots(slotted, new Map([['a', ' x']]))
  assert.equal(fillSlots(slotted, new Map()), '<i></i>')
})
