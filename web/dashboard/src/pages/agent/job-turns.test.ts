import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AgentEvent } from '../../../../../src/features/agent/operations/agent.ts'
import { groupEventsByTurn } from './job-turns.ts'

const prompt = { type: 'prompt', data: { prompt: 'Mend it.', number: 1 } } as AgentEvent
const text: AgentEvent = { type: 'text', data: { text: 'I look at it once more.' } }
const check = (passed: boolean, round: number): AgentEvent => ({
  type: 'check',
  data: { passed, round, problems: [] },
})
const stepsOf = (...events: AgentEvent[]) => groupEventsByTurn([prompt, ...events])[0]?.steps

test('a passing check is shown once when the next check passes too', () => {
  assert.deepEqual(stepsOf(check(true, 1), text, check(true, 2)), [text, check(true, 2)])
})

test('a passing check stays when a later one fails', () => {
  const events = [check(false, 1), check(true, 2), text, check(false, 3), check(true, 4)]
  assert.deepEqual(stepsOf(...events), events)
})
