/** Members who call the internal API, with each response checked against the OpenAPI description of the server. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Role } from '../../src/base/api/roles.ts'
import type { ErrorBody } from '../../src/base/api/schema.ts'
import { createWorkGate } from '../../src/base/fair-gate.ts'
import { createId } from '../../src/base/ids.ts'
import { silentLog } from '../../src/base/log.ts'
import { createGuardedFetch } from '../../src/base/net/guarded-fetch.ts'
import { createSlot } from '../../src/base/slot.ts'
import { publishDeployment } from '../../src/features/hosting/deploy/publish-deployment.ts'
import { insertDeployment } from '../../src/features/hosting/deploy/store.ts'
import { responseChecker } from '../kit/openapi-check.ts'
import { addPerson, Browser, PASSWORD } from '../kit/people.ts'
import { writeSite } from '../kit/site.ts'
import type { ApiUnderTest, Tenant } from './api-under-test.ts'

type Check = Awaited<ReturnType<typeof responseChecker>>

export class MemberUnderTest extends Browser {
  readonly userId: string
  readonly #check: Check

  constructor(url: string, given: { organizationId: string; userId: string; check: Check }) {
    super(url, given.organizationId)
    this.userId = given.userId
    this.#check = given.check
  }

  override async ask(path: string, options: Parameters<Browser['ask']>[1] = {}): Promise<Response> {
    const response = await super.ask(path, options)
    const { pathname } = new URL(path, this.url)
    if (pathname.startsWith('/internal/')) await this.#check(options.method ?? 'GET', pathname, response)
    return response
  }

  patch<Body = Record<string, unknown>>(path: string, body: unknown): Promise<Body> {
    return this.json(path, { method: 'PATCH', body })
  }

  /** Makes a request that is refused and returns its status, error, code and details with their fields. */
  async refused(path: string, options: Parameters<Browser['ask']>[1] = {}): Promise<Refusal> {
    const response = await this.ask(path, options)
    const { error = '', code, details = [] } = (await response.json()) as Partial<ErrorBody>
    return {
      status: response.status,
      error,
      code,
      details: details.map(({ message }) => message),
      fields: details.map(({ field }) => field),
    }
  }
}

export interface Refusal {
  status: number
  error: string
  code: ErrorBody['code'] | undefined
  details: string[]
  fields: (string | undefined)[]
}

export interface DashboardScene {
  member(role: Role, tenant?: Tenant): Promise<MemberUnderTest>
}

export async function openDashboard(api: ApiUnderTest): Promise<DashboardScene> {
  const check = await responseChecker(api.url, '/openapi/dashboard.json')
  return {
    async member(role, { organizationId } = api.acme) {
      const email = `${createId('usr')}@example.com`
      const user = await addPerson(api.database, { email, organizationId, role, name: `The ${role}` })
      const member = new MemberUnderTest(api.url, { organizationId, userId: user.id, check })
      await member.post('/auth/sign-in/email', { email, password: PASSWORD })
      return member
    },
  }
}

export interface PublishedFolder extends AsyncDisposable {
  folder: string
  deploymentId: string
}

/** Sets a folder with these files as the source of the project and publishes it as a worker does. */
export async function publishFolder(
  api: ApiUnderTest,
  { organizationId, projectId }: Tenant,
  files: Readonly<Record<string, string>>,
): Promise<PublishedFolder> {
  await using opening = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'octavo-dashboard-'))
  opening.defer(() => rm(folder, { recursive: true, force: true }))
  await writeSite(folder, files)
  const { queries } = api.database
  await queries
    .updateTable('projects')
    .set({ repository: folder, folder_granted: true })
    .where('id', '=', projectId)
    .execute()
  const deploymentId = createId('dep')
  await insertDeployment(queries, { id: deploymentId, organizationId, projectId })
  await using guardedFetch = createGuardedFetch()
  const { database, objects, url } = api
  const git = { mirrorsFolder: join(folder, '.octavo') }
  await publishDeployment(
    {
      database,
      objects,
      guardedFetch,
      git,
      renderChildren: 1,
      siteMemoryMb: 1024,
      publicUrl: () => url,
      hasAssistant: () => false,
    },
    { deploymentId },
    {
      lacksDiskSpace: async () => false,
      timed: (_stage, work) => work(),
      attempt: 1,
      jobId: deploymentId,
      signal: new AbortController().signal,
      log: silentLog,
      slot: createSlot(createWorkGate(1), [], new AbortController().signal),
    },
  )
  const open = opening.move()
  return { folder, deploymentId, [Symbol.asyncDispose]: () => open.disposeAsync() }
}
