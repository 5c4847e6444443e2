/** `octavo agent` against a running node, with a process per command. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, describe, test } from 'node:test'
import type { AgentJob, AgentJobList, AgentReview } from '../../src/features/agent/operations/agent.ts'
import { type AgentScene, editing, openAgentScene } from '../kit/agent.ts'
import { MAIN } from '../kit/octavo-command.ts'
import { PROGRAM_ENV } from '../kit/program-env.ts'

interface Outcome {
  code: number
  stdout: string
  stderr: string
}

describe('octavo agent', () => {
  let scene: AgentScene
  before(async () => {
    scene = await openAgentScene({ conversations: [editing('Correct the temperature.')] })
  })
  after(() => scene[Symbol.asyncDispose]())

  function octavo(...args: string[]): Promise<Outcome> {
    const env = {
      ...PROGRAM_ENV,
      OCTAVO_URL: scene.octavo.url,
      OCTAVO_KEY: scene.octavo.key,
    }
    const all = [MAIN, 'agent', ...args, '--project', scene.projectId]
    return new Promise((resolve) => {
      execFile(process.execPath, all, { env }, (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr })
      })
    })
  }
  const answerOf = <Answer>({ stdout }: Outcome) => JSON.parse(stdout) as Answer

  test('runs a job and prints its steps, shows what it changed, and accepts it', async () => {
    const ran = await octavo('run', 'Correct the temperature.', '--follow')
    assert.equal(ran.code, 0, ran.stderr)
    assert.match(ran.stderr, /> Correct the temperature\.\n(.*\n)*I read the page\.\n(.*\n)* {2}· edit_file/)
    const [, id = ''] = /^(aj_\w+) {2}completed/.exec(ran.stdout) ?? []
    assert.match(ran.stdout, /1 file changed\n {2}http.*\/reviews\//)

    const followed = await octavo('follow', id)
    assert.match(followed.stderr, /I read the page/, 'a job that is over can be read from its first step')
    const review = answerOf<AgentReview>(await octavo('review', id, '--json'))
    assert.deepEqual(
      [review.state, review.isLocal, review.files.map(({ path }) => path)],
      ['open', true, ['guides/brew.mdx']],
    )
    assert.match((await octavo('review', id)).stdout, /modified +guides\/brew\.mdx/)

    assert.equal((await octavo('accept', id)).code, 0)
    assert.match(await scene.repository.git('show', 'main:guides/brew.mdx'), /100 degrees/)
    const again = await octavo('decline', id)
    assert.equal(again.code, 1)
    assert.match(again.stderr, /merged/)
  })

  test('lists jobs, archives one and refuses a message to the archived job', async () => {
    const { id } = answerOf<AgentJob>(await octavo('run', ' ', '--json'))
    await scene.ended(id)
    const list = answerOf<AgentJobList>(await octavo('list', '--limit', '1', '--json'))
    assert.deepEqual([list.jobs.map((job) => job.id), list.hasMore], [[id], true])
    assert.match((await octavo('show', id)).stdout, /No file was changed/)
    assert.equal((await octavo('cancel', id)).code, 1, 'it is over')
    assert.equal(answerOf<AgentJob>(await octavo('archive', id, '--json')).status, 'archived')
    const message = await octavo('message', id, 'More.')
    assert.deepEqual([message.code, message.stdout], [1, ''])
    assert.match(message.stderr, /archived/)
  })

  test('exits with 1 for unknown feedback and with 2 for invalid arguments', async () => {
    const unknown = await octavo('run', 'Answer it.', '--feedback', 'fb_nothing')
    assert.equal(unknown.code, 1)
    assert.match(unknown.stderr, /fb_nothing/)
    assert.equal((await octavo('run')).code, 2)
    assert.equal((await octavo('run', 'x', '--feedback', ',')).code, 2)
  })
})
