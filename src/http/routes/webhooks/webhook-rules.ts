/** What the schemas of the webhook operations cannot say: addresses that may be told, and a change that changes nothing. */
import { type EndpointDeps, updateFaults, urlFaults } from '../../../webhooks/endpoints.ts'
import type { ShapeRule } from '../../operation-route.ts'

export function webhookRules(deps: EndpointDeps) {
  const faultsOfUrl = (body: unknown) => {
    const url = (body as { url?: unknown } | null | undefined)?.url
    return typeof url === 'string' && url !== '' ? urlFaults(deps, url) : []
  }
  return {
    createWebhook: ({ body }) => faultsOfUrl(body),
    updateWebhook: ({ body }) => [...updateFaults(body), ...faultsOfUrl(body)],
  } satisfies Record<string, ShapeRule>
}
