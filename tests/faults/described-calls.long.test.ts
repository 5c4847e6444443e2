/**
 * Sends calls generated from the OpenAPI document, 20,000 in a whole run. No response may be 5xx or violate its schema.
 * OCTAVO_FUZZ_SEED sets the seed, which the run prints.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openAgentScene } from '../kit/agent.ts'
import { CallMaker, KnownIds, seeded } from '../kit/described-calls.ts'
import { replies } from '../kit/model-server.ts'
import { OpenApiMismatch } from '../kit/openapi-check.ts'
import { publish } from '../kit/until.ts'
import { IS_WHOLE } from '../kit/whole-run.ts'

const CALLS = IS_WHOLE ? 20_000 : 2500
const SEED = Number(process.env.OCTAVO_FUZZ_SEED ?? 1)
const DOMAIN = 'tea.example.com'

/** Streams, which do not end, and routes for the server's own pages and links. */
const LEFT_OUT = /events$|^GET \/reviews|\/mcp$|^GET \/_octavo\/objects|^GET \/$/

test(`${CALLS} generated calls with seed ${SEED} get responses that match the OpenAPI document`, async (t) => {
  const limits = [
    'ANALYTICS',
    'AGENT_JOBS',
    'READS',
    'FAILED_KEYS',
    'FEEDBACK',
    'SITE_FEEDBACK',
    'EVENTS',
    'SEARCHES',
    'QUESTIONS',
    'SITE_QUESTIONS',
  ]
  const model = replies({ text: 'Nothing has to change.' })
  await using scene = await openAgentScene({
    script: () => model,
    env: {
      OCTAVO_ASSISTANT_MODEL: 'openai-compatible:stand-in',
      ...Object.fromEntries(limits.map((name) => [`OCTAVO_LIMIT_${name}`, '1000000/60'])),
    },
  })
  const { octavo: node, projectId } = scene
  await publish(node.client, projectId)
  const random = seeded(SEED)
  const ids = new KnownIds()
  ids.add(projectId)
  const maker = new CallMaker(node.fetch.description as never, (name) => !LEFT_OUT.test(name))
  const reached = new Set<string>()
  const faults: string[] = []
  for (let n = 0; n < CALLS; n++) {
    const call = maker.make(n, random() < 0.7, {
      random,
      ids,
      prefixesOf: (parameter, path) => prefixesOf(parameter, path),
      valuesOf: (field) =>
        ({
          domain: DOMAIN,
          path: '/guides/brew',
          dateFrom: '2026-01-01',
          dateTo: '2027-01-01',
          key: 'none',
          part: 'agent',
        })[field],
      headers: { Authorization: `Bearer ${node.key}` },
    })
    // Skip most calls that delete, archive or transfer a project, which would end the run early.
    if (
      /^(?:DELETE \/v1\/projects|POST \/v1\/projects\/\{projectId\}\/(?:archive|transfer))/.test(
        call.operation,
      ) &&
      random() < 0.98
    )
      continue
    try {
      const answer = await node.fetch(call.path, call.init)
      if (answer.status >= 500)
        faults.push(`${call.operation} ${answer.status} ${call.path} ${call.init.body ?? ''}`)
      if (answer.status < 300) {
        reached.add(call.operation)
        ids.add(await answer.text())
      }
    } catch (error) {
      if (!(error instanceof OpenApiMismatch)) throw error
      faults.push(`${call.operation} ${call.path}: ${error.message.slice(0, 300)}`)
    }
  }
  const missed = maker.operations.map(({ name }) => name).filter((name) => !reached.has(name))
  t.diagnostic(
    `${reached.size} of ${maker.operations.length} operations answered 2xx, not: ${missed.join(', ')}`,
  )
  assert.ok(reached.size > maker.operations.length / 2)
  assert.deepEqual(faults.slice(0, 20), [], `${faults.length} faults`)
})

function prefixesOf(parameter: string, path: string): readonly string[] {
  const byName: Record<string, string[]> = {
    projectId: ['prj'],
    jobId: path.includes('static-export') ? ['se'] : ['aj'],
    id: ['aj'],
    deploymentId: ['dep'],
    statusId: ['dep'],
    previewId: ['prv', 'pre', 'pv'],
    feedbackId: ['fb'],
    automationId: ['aut'],
    workflowSchemaId: ['aut'],
    repositoryId: ['repo', 'cr', 'rep'],
    webhookId: ['wh', 'whk'],
    deliveryId: ['del', 'whd', 'dlv'],
    transferId: ['trf', 'tr'],
    siteId: ['site'],
  }
  return byName[parameter] ?? []
}
