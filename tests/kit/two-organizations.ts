/**
 * A node with two organizations, each with a signed-in admin and an API key, to test access from one to the other.
 */
import { addKey, addOrganization } from '../../src/app/operator/administration.ts'
import { createClient, type OctavoClient } from '../../src/client/client.ts'
import type { Deployment } from '../../src/features/hosting/operations/deployments.ts'
import type { ProjectDetail } from '../../src/features/projects/operations/projects.ts'
import { startTestNode, type TestNode } from './node.ts'
import { addPerson, type Browser, signedIn } from './people.ts'
import { ended } from './until.ts'

export interface Party {
  organizationId: string
  admin: Browser
  client: OctavoClient
  /** Uses the internal API, like the dashboard. */
  makeProject(source: Record<string, unknown>, domain?: string): Promise<ProjectDetail>
  /** Starts a deployment and waits until it has ended. */
  publish(projectId: string): Promise<Deployment>
}

export interface TwoOrganizations extends AsyncDisposable {
  octavo: TestNode
  acme: Party
  /** The attacker. */
  other: Party
}

export interface Refused {
  status: number
  /** Error message with all details. */
  text: string
}

export async function openTwoOrganizations(env: Record<string, string> = {}): Promise<TwoOrganizations> {
  const octavo = await startTestNode(env)
  const second = await addOrganization(octavo.node.context, { name: 'Other', plan: 'enterprise' })
  return {
    octavo,
    acme: await openParty(octavo, octavo.organizationId),
    other: await openParty(octavo, second.id),
    [Symbol.asyncDispose]: () => octavo[Symbol.asyncDispose](),
  }
}

let names = 0

async function openParty(octavo: TestNode, organizationId: string): Promise<Party> {
  const { context } = octavo.node
  const email = `admin-${++names}@example.com`
  await addPerson(context.database, { email, organizationId, role: 'admin' })
  const admin = await signedIn(octavo.url, { email, organizationId })
  const { text: apiKey } = await addKey(context, { organizationId, name: 'key' })
  const client = createClient({ baseUrl: octavo.url, apiKey })
  return {
    organizationId,
    admin,
    client,
    makeProject: (source, domain = `site-${++names}.example.com`) =>
      admin.post('/internal/projects', { name: domain, domains: [domain], source }),
    async publish(projectId) {
      const { deploymentId } = await client.startDeployment(projectId)
      return ended(() => client.getDeployment(projectId, deploymentId))
    },
  }
}

export async function refusal(asked: Promise<Response>): Promise<Refused> {
  const response = await asked
  const { error = '', details = [] } = (await response.json()) as {
    error?: string
    details?: { message: string }[]
  }
  return { status: response.status, text: [error, ...details.map(({ message }) => message)].join('\n') }
}
