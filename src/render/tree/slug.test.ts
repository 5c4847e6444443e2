import assert from 'node:assert/strict'
import { test } from 'node:test'
import { githubSlug, punctuatedSlug, slug } from './slug.ts'

test('converts a heading to an id by the documented rules', () => {
  assert.equal(slug('Config.json options'), 'config-json-options')
  assert.equal(slug("What's new"), 'what’s-new')
  assert.equal(slug('What’s new'), 'what’s-new')
  assert.equal(slug('Read/write access'), 'read/write-access')
  assert.equal(slug('Fees & billing'), 'fees-&-billing')
  assert.equal(slug('OAuth'), 'oauth')
  assert.equal(slug('Step 1: Install (beta)'), 'step-1-install-beta')
  assert.equal(slug('$ref'), '$ref')
})

test('keeps letters of every script and collapses separators into one hyphen', () => {
  assert.equal(slug('安装 指南'), '安装-指南')
  assert.equal(slug('示例：内容、审核，工作流'), '示例：内容、审核，工作流')
  assert.equal(slug('非表示・事前入力'), '非表示・事前入力')
  assert.equal(slug('Über — uns!'), 'über-uns')
  assert.equal(slug('...'), '')
})

test('GitHub ids drop punctuation and turn each space into a hyphen', () => {
  const ids = {
    "What's new": 'whats-new',
    'What’s new': 'whats-new',
    'macOS / Linux runner': 'macos--linux-runner',
    '1.2.1 Webhooks (optional)': '121-webhooks-optional',
    'transfer.js': 'transferjs',
    'Codes: 155201 - 155299': 'codes-155201---155299',
    snake_case: 'snake_case',
    '安装：指南': '安装指南',
    '...': '',
  }
  assert.deepEqual(Object.keys(ids).map(githubSlug), Object.values(ids))
})

test('punctuated ids keep colons, commas, plus signs and question marks', () => {
  const ids = {
    'Step 2: Add the code (beta)': 'step-2:-add-the-code-beta',
    'How am I billed?': 'how-am-i-billed?',
    'Edit, delete, or run it': 'edit,-delete,-or-run-it',
    'Pages + forms': 'pages-+-forms',
    "What's `new`": 'what’s-new',
    'start_session()': 'start-session',
    __init__: 'init',
    ___: '',
  }
  assert.deepEqual(Object.keys(ids).map(punctuatedSlug), Object.values(ids))
})
