import assert from 'node:assert/strict'
import { test } from 'node:test'
import { protectVariables } from './compile-variables.ts'

test('replaces variables with their values', () => {
  const { source, restore } = protectVariables('Use {{product}} and {{ version }}.', {
    product: '<b>X</b>',
    version: '1.2',
  })
  assert.ok(!source.includes('{{') && !source.includes('<b>'))
  assert.equal(restore(source, 'text'), 'Use <b>X</b> and 1.2.')
  assert.equal(restore(encodeURI(source), 'text'), 'Use%20<b>X</b>%20and%201.2.')
})

test('keeps an undefined variable as written and reports it only in prose', () => {
  const { source, restore } = protectVariables('{{nope}}', {})
  const named: string[] = []
  const remember = (name: string) => void named.push(name)
  assert.equal(restore(source, 'code', remember), '{{nope}}')
  assert.equal(named.length, 0)
  assert.equal(restore(source, 'text', remember), '{{nope}}')
  assert.deepEqual(named, ['nope'])
})

test('ignores text that only resembles a variable', () => {
  for (const text of ['${{ matrix }}', 'style={{width}}', '{{ .Values.x }}', '{{{raw}}}', '{{a b}}']) {
    assert.equal(protectVariables(text, { matrix: 'x', width: 'y', raw: 'z' }).source, text)
  }
})
