/** An admin tries to have a site answer under the names of the service itself. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProjectDetail } from '../../src/contract/dashboard-projects.ts'
import { openTwoOrganizations, refusal } from '../kit/two-organizations.ts'

const source = { kind: 'git', repository: 'https://git.example.com/team/docs.git' }

test('no project takes a name of the service, however it is written, neither at birth nor by a change', async () => {
  await using scene = await openTwoOrganizations({ OCTAVO_PUBLIC_URL: 'https://octavo.example.net' })
  const { admin, makeProject } = scene.other
  const project = await makeProject(source, 'docs.localhost')
  for (const domain of [
    'localhost',
    'LOCALHOST',
    'localhost.',
    'octavo.example.net',
    'Octavo.Example.NET.',
    'octavo.example.net:443',
    'ｏctavo.example.net',
    'octavo。example。net',
    'login.octavo.example.net',
    'a.b.octavo.example.net.',
    '127.0.0.1',
    '[::1]',
    '::1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
  ]) {
    const body = { name: 'x', domains: [domain], source }
    const made = await refusal(admin.ask('/internal/projects', { method: 'POST', body }))
    assert.equal(made.status, 400, domain)
    const path = `/internal/projects/${project.id}`
    const { updatedAt, domains } = await admin.json<ProjectDetail>(path)
    const change = { updatedAt, domains: [...domains, domain] }
    const changed = await refusal(admin.ask(path, { method: 'PATCH', body: change }))
    assert.equal(changed.status, 400, domain)
  }
  assert.deepEqual((await makeProject(source, 'notoctavo.example.net')).domains, ['notoctavo.example.net'])
})
