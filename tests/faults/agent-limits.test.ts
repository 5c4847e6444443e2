/** An agent job survives a crash of its tool process: it reports the error, waits and continues. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { followAgentJob } from '../../src/client/follow-agent-job.ts'
import { type AgentScene, editing, openAgentScene } from '../kit/agent.ts'
import { descendants } from '../kit/processes.ts'

const PROMPT = 'Tell the right temperature.'
let scene: AgentScene

before(async () => {
  scene = await openAgentScene({ conversations: [editing(PROMPT)], env: { OCTAVO_SITE_RETRY_SECONDS: '2' } })
})
after(() => scene[Symbol.asyncDispose]())

const isTools = (command: string) => command.includes('inside/main') && command.includes('tool-work')

test('a job whose tool process crashed shows the reason while it waits for its next attempt', async () => {
  const { octavo, projectId } = scene
  const { id } = await octavo.client.createAgentJob(projectId, { prompt: PROMPT })
  for await (const { event } of followAgentJob(octavo.client, projectId, id, { pauseMs: 20 }))
    if (event.type === 'tool' && event.data.name === 'finish') break
  let job = await octavo.client.getAgentJob(projectId, id)
  // A tool process killed before its first request is only restarted, so repeat until the job reports an error.
  for (; job.error === null; job = await octavo.client.getAgentJob(projectId, id)) {
    assert.equal(job.status, 'active')
    // SIGABRT counts as a crash, possibly caused by the input; SIGKILL would count as an internal failure.
    for (const { pid, command } of descendants()) if (isTools(command)) process.kill(pid, 'SIGABRT')
    await sleep(100)
  }
  assert.equal(job.status, 'active')
  assert.match(job.error, /stopped unexpectedly/)
  const ended = await scene.ended(id)
  assert.deepEqual([ended.status, ended.error], ['completed', null])
})
