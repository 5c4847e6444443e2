/**
 * Writes a small file with the endpoints for feedback and analytics. Its name is constant and pages do not
 * contain its data, so that pages do not depend on project and server.
 */

import { isCollecting, type PlatformFacts, resolveWidgets, type WidgetSet } from '../../base/api/widgets.ts'
import type { ReaderOperationId } from '../../features/reader/operations/reader.ts'
import type { Site } from '../../site/model.ts'
import { BUILT_IN_FOLDER, type BuiltInFile } from '../machinery/built-ins.ts'
import type { RenderInput } from '../page/render-input.ts'

export const PLATFORM_FILE = `${BUILT_IN_FOLDER}/platform.js`

/** If the site has no id, excludes the widgets that collect feedback. */
export function resolveWidgetSet({ site, deployment, widgets, siteId }: RenderInput): WidgetSet {
  const resolved = resolveWidgets(deployment, widgets, site.config.feedback)
  return siteId === null ? { ...resolved, thumbs: false, code: false } : resolved
}

/**
 * Returns whether Octavo's web analytics are enabled, as opposed to those in `integrations`. `telemetry` disables both.
 */
export function hasAnalytics({ site, deployment, features, siteId }: RenderInput): boolean {
  const isAllowed = site.config.integrations.telemetry?.enabled !== false
  return features.analytics && deployment !== 'air-gapped' && siteId !== null && isAllowed
}

/** Returns whether the assistant is available, which requires a registered site. */
export function hasAssistant({ deployment, features, siteId }: RenderInput): boolean {
  return features.assistant && deployment !== 'air-gapped' && siteId !== null
}

/** Returns whether the server may proxy requests that CORS blocks. */
export function hasPlaygroundProxy({ site, deployment, features, siteId }: RenderInput): boolean {
  const isAllowed = features.playground && site.config.api.proxy
  return isAllowed && deployment !== 'air-gapped' && siteId !== null && hasOperations(site)
}

/** Returns whether any page documents an operation. */
export function hasOperations({ pages }: Site): boolean {
  return [...pages.values()].some(
    ({ operation, frontmatter }) => operation !== null || frontmatter.api !== undefined,
  )
}

/** Returns null for a site that does not use the server. */
export async function platformFile(input: RenderInput): Promise<BuiltInFile | null> {
  const { siteId, tree } = input
  const gathers = isCollecting(resolveWidgetSet(input))
  const speaks = gathers || hasAnalytics(input) || hasAssistant(input) || hasPlaygroundProxy(input)
  if (siteId === null || !speaks) return null
  const facts: PlatformFacts = {
    siteId,
    feedback: gathers ? await readerUrl(input, siteId, 'submitFeedback') : null,
    analytics: hasAnalytics(input) ? await readerUrl(input, siteId, 'recordEvents') : null,
    assistant: hasAssistant(input) ? await readerUrl(input, siteId, 'askAssistant') : null,
    playground: hasPlaygroundProxy(input) ? await readerUrl(input, siteId, 'forwardCall') : null,
    revision: tree.revision,
  }
  return { path: PLATFORM_FILE, content: `globalThis.__octavoPlatform=${JSON.stringify(facts)}\n` }
}

async function readerUrl(
  { deployment, platformUrl }: RenderInput,
  siteId: string,
  operation: ReaderOperationId,
): Promise<string | null> {
  // Loaded on demand, because it contains the shapes of all operations, which local builds do not use.
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
