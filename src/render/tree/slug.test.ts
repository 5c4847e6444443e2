import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slug } from './slug.ts'

test('a heading becomes an id by the documented rules', () => {
  assert.equal(slug('Config.json options'), 'config-json-options')
  assert.equal(slug("What's new"), 'what’s-new')
  assert.equal(slug('What’s new'), 'what’s-new')
  assert.equal(slug('Read/write access'), 'read/write-access')
  assert.equal(slug('Fees & billing'), 'fees-&-billing')
  assert.equal(slug('OAuth'), 'oauth')
  assert.equal(slug('Step 1: Install (beta)'), 'step-1-install-beta')
  assert.equal(slug('$ref'), '$ref')
})

test('letters of every script stay and runs of separators become one hyphen', () => {
  assert.equal(slug('安装 指南'), '安装-指南')
  assert.equal(slug('示例：内容、审核，工作流'), '示例：内容、审核，工作流')
  assert.equal(slug('非表示・事前入力'), '非表示・事前入力')
  assert.equal(slug('Über — uns!'), 'über-uns')
  assert.equal(slug('...'), '')
})
