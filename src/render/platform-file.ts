/**
 * The one small file of a site that says where its readers' words go. Its name is always the same and no page holds what
 * is in it, so that a page does not depend on the project and the server it came from.
 */
import { READER_OPERATIONS, READER_PATH, READER_SITE_PATH } from '../contract/reader.ts'
import { type PlatformFacts, resolveWidgets, type WidgetSet } from '../contract/widgets.ts'
import { BUILT_IN_FOLDER, type BuiltInFile } from './built-ins.ts'
import type { RenderInput } from './render-input.ts'

export const PLATFORM_FILE = `${BUILT_IN_FOLDER}/platform.js`

/** Without a site to speak of, nothing is gathered. */
export function widgetsOf({ site, deployment, widgets, siteId }: RenderInput): WidgetSet {
  const resolved = resolveWidgets(deployment, widgets, site.config.feedback)
  return siteId === null ? { ...resolved, thumbs: false, code: false } : resolved
}

export function platformFile(input: RenderInput): BuiltInFile {
  const { siteId, tree } = input
  if (siteId === null) throw new Error('a site that gathers feedback needs its id')
  const facts: PlatformFacts = { siteId, feedback: feedbackAddress(input, siteId), revision: tree.revision }
  return { path: PLATFORM_FILE, content: `globalThis.__octavoPlatform=${JSON.stringify(facts)}\n` }
}

function feedbackAddress({ deployment, platformUrl }: RenderInput, siteId: string): string | null {
  const { path } = READER_OPERATIONS.submitFeedback
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
