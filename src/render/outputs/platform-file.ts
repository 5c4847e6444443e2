/**
 * Small file with the endpoints for feedback and analytics. It always has the same name, and no page contains its
 * data, so that pages do not depend on the project and the server from which they came.
 */

import { isCollecting, type PlatformFacts, resolveWidgets, type WidgetSet } from '../../base/api/widgets.ts'
import type { ReaderOperationId } from '../../features/reader/operations/reader.ts'
import { BUILT_IN_FOLDER, type BuiltInFile } from '../machinery/built-ins.ts'
import type { RenderInput } from '../page/render-input.ts'
import { hasAssistant } from './assistant-files.ts'

export const PLATFORM_FILE = `${BUILT_IN_FOLDER}/platform.js`

/** Without a site id, no feedback is collected. */
export function resolveWidgetSet({ site, deployment, widgets, siteId }: RenderInput): WidgetSet {
  const resolved = resolveWidgets(deployment, widgets, site.config.feedback)
  return siteId === null ? { ...resolved, thumbs: false, code: false } : resolved
}

/** Octavo's web analytics; third-party ones are `integrations` of docs.json. `telemetry` disables both. */
export function hasAnalytics({ site, deployment, features, siteId }: RenderInput): boolean {
  const isAllowed = site.config.integrations.telemetry?.enabled !== false
  return features.analytics && deployment !== 'air-gapped' && siteId !== null && isAllowed
}

/** True if calls that CORS blocks may be proxied by the platform. */
export function hasPlaygroundProxy({ site, deployment, features, siteId }: RenderInput): boolean {
  if (!features.playground || !site.config.api.proxy || deployment === 'air-gapped' || siteId === null)
    return false
  return [...site.pages.values()].some(
    ({ operation, frontmatter }) => operation !== null || frontmatter.api !== undefined,
  )
}

/** Returns null for a site that does not communicate with a platform. */
export async function platformFile(input: RenderInput): Promise<BuiltInFile | null> {
  const { siteId, tree } = input
  const gathers = isCollecting(resolveWidgetSet(input))
  const speaks = gathers || hasAnalytics(input) || hasAssistant(input) || hasPlaygroundProxy(input)
  if (siteId === null || !speaks) return null
  const facts: PlatformFacts = {
    siteId,
    feedback: gathers ? await readerAddress(input, siteId, 'submitFeedback') : null,
    analytics: hasAnalytics(input) ? await readerAddress(input, siteId, 'recordEvents') : null,
    assistant: hasAssistant(input) ? await readerAddress(input, siteId, 'askAssistant') : null,
    playground: hasPlaygroundProxy(input) ? await readerAddress(input, siteId, 'forwardCall') : null,
    revision: tree.revision,
  }
  return { path: PLATFORM_FILE, content: `globalThis.__octavoPlatform=${JSON.stringify(facts)}\n` }
}

async function readerAddress(
  { deployment, platformUrl }: RenderInput,
  siteId: string,
  operation: ReaderOperationId,
): Promise<string | null> {
  // Imported lazily, because it includes the form of each operation, which a local build does not use.
  const { READER_OPERATIONS, READER_PATH, READER_SITE_PATH } = await import(
    '../../features/reader/operations/reader.ts'
  )
  const { path } = READER_OPERATIONS[operation]
  switch (deployment) {
    case 'cloud':
      return `${READER_PATH}${path}`
    case 'client-hosted':
      return platformUrl === null
        ? null
        : `${platformUrl.replace(/(?<!\/)\/+$/, '')}${READER_SITE_PATH.replace('{siteId}', siteId)}${path}`
    case 'air-gapped':
      return null
  }
}
