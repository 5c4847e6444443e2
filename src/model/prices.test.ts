import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calculateCost, parsePrices } from './prices.ts'

test('calculates the cost of an answer in dollars from a price list', () => {
  const prices = parsePrices('anthropic:claude-sonnet-4-5=3/15, ollama:qwen3:8b=0/0') ?? {}
  const usage = { inputTokens: 200_000, outputTokens: 10_000 }
  assert.equal(calculateCost(prices, 'anthropic:claude-sonnet-4-5', usage), 0.75)
  assert.equal(calculateCost(prices, 'ollama:qwen3:8b', usage), 0)
  assert.equal(calculateCost(prices, 'openai:gpt-5', usage), null)
  assert.equal(calculateCost(prices, 'constructor', usage), null)
})

test('an empty price list is valid, and a malformed one is rejected', () => {
  assert.deepEqual(parsePrices(''), {})
  for (const wrong of ['openai:gpt-5', 'openai:gpt-5=1', 'gpt-5=1/2', 'openai:gpt-5=-1/2', 'a:b=1/2;c:d=1/2'])
    assert.equal(parsePrices(wrong), null, wrong)
})
