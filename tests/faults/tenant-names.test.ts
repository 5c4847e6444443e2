/** Names of the service itself, taken as the domain of a project: whoever has one would answer in its place. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ProjectDetail } from '../../src/contract/dashboard-projects.ts'
import { openTwoOrganizations, refusal, type TwoOrganizations } from '../kit/two-organizations.ts'

const source = { kind: 'git', repository: 'https://git.example.com/team/docs.git' }
/** What this node is reached at, in spellings that mean the same. */
const NAMES = ['localhost', 'LOCALHOST', 'localhost.', 'localhost:443', '127.0.0.1', '2130706433', '[::1]']

let scene: TwoOrganizations
before(async () => {
  scene = await openTwoOrganizations()
})
after(() => scene[Symbol.asyncDispose]())

test('no name of the service is a domain over HTTP, neither at birth nor by a change', async () => {
  const { octavo, other } = scene
  const project = await other.makeProject(source)
  for (const name of NAMES) {
    const body = { name: 'x', domains: [name], source }
    const made = await refusal(other.admin.ask('/internal/projects', { method: 'POST', body }))
    assert.equal(made.status, 400, `made with ${name}`)
    const path = `/internal/projects/${project.id}`
    const { updatedAt, domains } = await other.admin.json<ProjectDetail>(path)
    const change = { updatedAt, domains: [...domains, name] }
    const changed = await refusal(other.admin.ask(path, { method: 'PATCH', body: change }))
    assert.equal(changed.status, 400, `changed to ${name}`)
  }
  const answer = await fetch(`${octavo.url}/healthz`)
  assert.equal(answer.status, 200)
})
