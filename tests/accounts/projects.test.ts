import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { AppError } from '../../src/base/errors/errors.ts'
import { listAudit } from '../../src/database/audit.ts'
import {
  createOrganization,
  findOrganization,
  setPlan,
} from '../../src/features/accounts/organizations/organizations.ts'
import {
  addDomain,
  createProject,
  findProject,
  findProjectsByDomain,
  listProjects,
} from '../../src/features/projects/projects.ts'
import { addOrganization, addProject, OPERATOR } from '../kit/accounts.ts'
import { openTestDatabase, type TestDatabase } from '../kit/database.ts'
import { refusalOf } from '../kit/refusal.ts'

let database: TestDatabase
before(async () => {
  database = await openTestDatabase()
})
after(() => database[Symbol.asyncDispose]())

const folder = { kind: 'folder', repository: '/srv/docs' } as const

function create(organizationId: string, domains: string[]) {
  return database.transaction((tx) =>
    createProject(tx, {
      organizationId,
      name: 'Docs',
      domains,
      source: folder,
      actor: 'test',
      rules: OPERATOR,
    }),
  )
}

test('a plan change is audited once, and an unknown plan is rejected', async () => {
  const organizationId = await addOrganization(database, 'free')
  const set = (plan: string, id = organizationId) =>
    database.transaction((tx) => setPlan(tx, { organizationId: id, plan, actor: 'cli' }))
  await set('enterprise')
  assert.equal((await findOrganization(database.queries, organizationId))?.plan, 'enterprise')
  await set('enterprise')
  const trace = await listAudit(database.queries, { organizationId, limit: 10 })
  assert.equal(trace.filter((row) => row.action === 'organization.plan_changed').length, 1)
  assert.deepEqual(trace[0]?.details, { from: 'free', to: 'enterprise' })
  const { code, details } = await refusalOf(set('gold'))
  assert.equal(code, 'invalid_request')
  const [{ message, field } = {}] = details
  assert.deepEqual([message, field], ['A plan is one of `free`, `pro`, `enterprise`', '/plan'])
  assert.equal((await refusalOf(set('pro', 'org_none'))).code, 'not_found')
})

test('an organization requires a name and a known plan', async () => {
  const made = database.transaction((tx) => createOrganization(tx, { name: ' ', plan: 'gold', actor: 'cli' }))
  const fields = (await refusalOf(made)).details.map(({ field }) => field)
  assert.deepEqual(fields, ['/name', '/plan'])
})

test('finds a project by its id and by each normalized domain', async () => {
  const organizationId = await addOrganization(database)
  const project = await database.transaction((tx) =>
    createProject(tx, {
      organizationId,
      name: 'Docs',
      domains: ['Zebra.Example.com.', 'bücher.example'],
      source: {
        kind: 'git',
        repository: 'https://git.example.com/docs.git',
        ref: 'main',
        docsFolder: './docs/',
      },
      defaultDeployment: 'air-gapped',
      features: { playground: true },
      actor: 'test',
      rules: OPERATOR,
    }),
  )
  assert.deepEqual(project.domains, ['zebra.example.com', 'xn--bcher-kva.example'])
  assert.deepEqual(project.source, {
    kind: 'git',
    repository: 'https://git.example.com/docs.git',
    ref: 'main',
    docsFolder: 'docs',
    lfs: false,
  })
  assert.deepEqual(project.features, { playground: true })
  assert.equal(project.plan, 'enterprise')
  assert.deepEqual(await findProject(database.queries, project.id), project)
  for (const domain of project.domains) {
    assert.deepEqual(await findProjectsByDomain(database.queries, domain), [project])
  }
  assert.deepEqual(await listProjects(database.queries, organizationId), [project])
})

test('a project is not visible to another organization', async () => {
  const [one, other] = [await addOrganization(database), await addOrganization(database)]
  const project = await addProject(database, one, 'seen.example.com')
  assert.equal(await findProject(database.queries, project.id, other), null)
  assert.deepEqual(await listProjects(database.queries, other), [])
  assert.equal((await findProject(database.queries, project.id, one))?.id, project.id)
})

test('a domain belongs to one project, also when several claim it concurrently', async () => {
  const organizationId = await addOrganization(database)
  const made = await Promise.allSettled([
    create(organizationId, ['a.example.com', 'b.example.com']),
    create(organizationId, ['b.example.com', 'a.example.com']),
    create(organizationId, ['b.example.com']),
  ])
  const refused = made.filter((one) => one.status === 'rejected')
  assert.deepEqual(
    refused.map(({ reason }) => reason instanceof AppError && reason.code),
    ['domain_taken', 'domain_taken'],
  )
  const count = (await listProjects(database.queries, organizationId)).length
  assert.equal(count, 1, 'the refused ones left nothing')
})

test('reports all errors of a new project at once', async () => {
  const organizationId = await addOrganization(database)
  const made = database.transaction((tx) =>
    createProject(tx, {
      organizationId,
      name: '',
      domains: ['https://docs.example.com', 'docs.example.com/guides'],
      source: { kind: 'folder', repository: 'docs', ref: '-x', docsFolder: '../up' },
      defaultDeployment: 'air-gapped',
      features: { search: true },
      actor: 'test',
      rules: OPERATOR,
    }),
  )
  const refused = await refusalOf(made)
  assert.equal(refused.code, 'invalid_request')
  assert.deepEqual(
    refused.details.map(({ field }) => field),
    [
      '/name',
      '/domains/0',
      '/domains/1',
      '/source/repository',
      '/source/ref',
      '/source/docsFolder',
      '/features/search',
    ],
  )
})

test('adding a domain appends it and is audited, and a taken or invalid domain is rejected', async () => {
  const organizationId = await addOrganization(database)
  const project = await addProject(database, organizationId, 'first.example.com')
  const other = await addProject(database, organizationId, 'other.example.com')
  const add = (domain: string) =>
    database.transaction((tx) => addDomain(tx, { project, domain, rules: OPERATOR, actor: 'cli' }))
  await add('Second.example.com')
  assert.equal((await refusalOf(add(other.domains[0] ?? ''))).code, 'domain_taken')
  assert.equal((await refusalOf(add('localhost'))).code, 'invalid_request')
  const found = await findProject(database.queries, project.id)
  assert.deepEqual(found?.domains, ['first.example.com', 'second.example.com'])
  const trace = await listAudit(database.queries, { organizationId, limit: 10 })
  const actions = trace.filter((row) => row.subject === project.id).map((row) => row.action)
  assert.deepEqual(actions, ['project.domain_added', 'project.created'])
})
