/** Prose, spelling and link checks of a job, from the first attempt of the model to the pull request. */
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { describeChecks } from '../../src/features/agent/check/describe-checks.ts'
import { setProject } from '../kit/accounts.ts'
import { type AgentScene, DOCS, finishing, openAgentScene } from '../kit/agent.ts'
import { type ChatRequest, replies, type ScriptedAnswer } from '../kit/model-server.ts'

const PAGE = 'guides/brew.mdx'
let scene: AgentScene
let site: Server
const asked: string[] = []

const edit = (oldText: string, newText: string): ScriptedAnswer => ({
  toolCalls: [{ name: 'edit_file', input: { path: PAGE, oldText, newText } }],
})
const FINISH: ScriptedAnswer = { toolCalls: [finishing([PAGE])] }
const address = (path: string) => `http://127.0.0.1:${(site.address() as AddressInfo).port}${path}`

/** Breaks a prose rule, misspells a name and adds a dead link, then fixes each reported problem. */
function answerTo({ messages }: ChatRequest): ScriptedAnswer {
  const gone = `(${address('/gone')})`
  const answers = [
    edit('70 degrees', `simply 100 degrees, see [Github]${gone} and [more](${address('/good')})`),
    FINISH,
    edit('simply 100 degrees, see [Github]', '100 degrees, see [GitHub]'),
    FINISH,
    edit(`[GitHub]${gone}`, 'at GitHub'),
    FINISH,
  ]
  return answers[messages.filter(({ role }) => role === 'assistant').length] ?? FINISH
}

before(async () => {
  site = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    response.writeHead(request.url === '/good' ? 200 : 404).end()
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  scene = await openAgentScene({
    script: (request) => replies(answerTo(request)),
    env: { OCTAVO_AGENT_SELF_REVIEW: 'false', OCTAVO_AGENT_PRIVATE_HOSTS: '127.0.0.1:*' },
    files: {
      ...DOCS,
      '.vale.ini': 'StylesPath = styles\n[*.mdx]\nBasedOnStyles = House\n',
      'styles/House/Words.yml':
        "extends: existence\nmessage: Leave out '%s'.\nlevel: warning\ntokens: [simply]\n",
    },
  })
  const agent = { names: ['GitHub'], externalLinks: true }
  await setProject(scene.octavo.node.context.database.queries, scene.projectId, { agent })
})
after(async () => {
  await scene?.[Symbol.asyncDispose]()
  site?.close()
})

test('prose, spelling and broken link problems go back to the agent, and the job records what was checked', async () => {
  const { id } = await scene.octavo.client.createAgentJob(scene.projectId, { prompt: 'Boil the water.' })
  const events = await scene.events(id)
  const job = await scene.octavo.client.getAgentJob(scene.projectId, id)
  assert.equal(job.status, 'completed', job.error ?? '')
  const checks = events.flatMap(({ type, data }) => (type === 'check' ? [data] : []))
  assert.deepEqual(
    checks.map(({ passed, problems }) => [passed, problems.map(({ message }) => message)]),
    [
      [false, ['The spelling on this site is “GitHub”, not “Github”.', "Leave out 'simply'. (House.Words)"]],
      [false, [`${address('/gone')} returns 404: the page does not exist.`]],
      [true, []],
    ],
  )
  assert.match(
    await scene.repository.git('show', `${job.branch}:${PAGE}`),
    /Use water of 100 degrees, see at GitHub and \[more\]/,
  )
  assert.ok(asked.includes('HEAD /gone') && asked.includes('GET /gone') && asked.includes('HEAD /good'))
  const row = await scene.octavo.node.context.database.queries
    .selectFrom('agent_jobs')
    .select('checks')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  assert.match(
    describeChecks(row.checks),
    /1 prose rule of the docs folder passed\. 1 name is spelled as defined for the site\. 1 of 1 new link to other sites responded\./,
  )
})
